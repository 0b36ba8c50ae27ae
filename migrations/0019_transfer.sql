-- What comes from another house.

-- Of its clubs, which are not here, what a reader brought along: lines of their export, and of their notes and shelves the members
-- that say whose they were. Nothing follows from it; it is told again when they go on.
CREATE TABLE keepsakes (
    reader INTEGER NOT NULL REFERENCES readers (key),
    kind   TEXT NOT NULL,
    id     BLOB NOT NULL CHECK (length(id) = 16),
    part   TEXT NOT NULL, -- of what has no id of its own
    value  TEXT NOT NULL, -- JSON
    PRIMARY KEY (reader, kind, id, part)
) STRICT, WITHOUT ROWID;

-- Readings that show a latest entry which has not come yet: entries come after them.
CREATE TABLE awaited_entries (
    reading INTEGER PRIMARY KEY REFERENCES readings (key) ON DELETE CASCADE
) STRICT;
