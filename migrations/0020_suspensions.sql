-- Readers who may not come in for now.
CREATE TABLE suspensions (
    key        INTEGER PRIMARY KEY REFERENCES readers (key),
    id         BLOB NOT NULL UNIQUE CHECK (length(id) = 16), -- the reader's
    version    INTEGER NOT NULL,
    reason     TEXT,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT;
