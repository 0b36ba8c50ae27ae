-- What clients watch on one connection, and tickets, which open any one URL. Their changes are in no log.
CREATE TABLE streams (
    key INTEGER PRIMARY KEY,
    id BLOB NOT NULL UNIQUE,
    version INTEGER NOT NULL,
    reader INTEGER NOT NULL REFERENCES readers (key),
    -- Its id: a stream outlives its token, to tell who comes back that it has ended.
    token BLOB,
    digest BLOB NOT NULL UNIQUE,
    is_ticket INTEGER NOT NULL,
    watch TEXT NOT NULL,
    policy TEXT NOT NULL,
    heartbeat INTEGER NOT NULL,
    debounce INTEGER NOT NULL,
    lease INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT;

CREATE INDEX streams_of_reader ON streams (reader);
