-- How each reader wants things to be, and what their devices keep of themselves.

CREATE TABLE settings (
    key                 INTEGER PRIMARY KEY REFERENCES readers (key),
    id                  BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
    version             INTEGER NOT NULL,
    update_artwork      INTEGER NOT NULL DEFAULT 1,
    sync_progress       INTEGER NOT NULL DEFAULT 1,
    time_zone           TEXT NOT NULL DEFAULT 'UTC',
    default_share_level TEXT NOT NULL DEFAULT 'milestones',
    presence            INTEGER NOT NULL DEFAULT 0,
    created_at          INTEGER NOT NULL,
    updated_at          INTEGER NOT NULL
) STRICT;

-- There from the start, under the reader's own id: it is no change that they are, so their version is 0.
CREATE TRIGGER readers_settings AFTER INSERT ON readers BEGIN
    INSERT INTO settings (key, id, version, created_at, updated_at)
    VALUES (NEW.key, NEW.id, 0, NEW.created_at, NEW.updated_at);
END;
INSERT INTO settings (key, id, version, created_at, updated_at)
SELECT key, id, 0, created_at, updated_at FROM readers;

CREATE TABLE scenes (
    key        INTEGER PRIMARY KEY,
    id         BLOB NOT NULL UNIQUE CHECK (length(id) = 16), -- follows from the reader, the device and the name
    version    INTEGER NOT NULL,
    reader     INTEGER NOT NULL REFERENCES readers (key),
    device     TEXT NOT NULL,
    name       TEXT NOT NULL,
    value      TEXT NOT NULL, -- JSON
    used_day   INTEGER NOT NULL, -- since 1970-01-01, by the house's clock
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX scenes_reader ON scenes (reader);
CREATE INDEX scenes_used ON scenes (used_day);
