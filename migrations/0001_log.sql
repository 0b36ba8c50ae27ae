-- The change log, and the tables of the database as a whole. Keys are integers of this server; clients see ids. Times
-- are milliseconds since 1970 (UTC).

PRAGMA application_id = 0x4c637431; -- Lct1

CREATE TABLE meta (
    name  TEXT NOT NULL PRIMARY KEY,
    value INTEGER NOT NULL,
    CHECK (CASE name WHEN 'epoch' THEN value BETWEEN 1 AND 4294967295 WHEN 'fold' THEN value >= 1
        ELSE name IN ('inode', 'born') END)
) STRICT, WITHOUT ROWID;

-- The change log. It is reversible: "before" laid over "value" gives the earlier value, whose version is the seq of the
-- resource's previous change. So any earlier value is found by walking back from the current value, or from the
-- deletion.
--
-- No seq is used twice, because retention never deletes the newest row. (AUTOINCREMENT would ensure the same by writing
-- to another table at each insert.)
CREATE TABLE changes (
    seq       INTEGER PRIMARY KEY,
    command   INTEGER NOT NULL, -- the seq of the first change of the same command
    at        INTEGER NOT NULL,
    kind      INTEGER NOT NULL,
    resource  BLOB NOT NULL CHECK (length(resource) = 16),
    scope     INTEGER NOT NULL, -- 0: everyone; positive: the key of a reader; negative: the key of a club
    reader    INTEGER NOT NULL, -- 0: the whole scope; else the one reader of the scope it is for
    -- 1 to 3: created, updated, deleted. From 4: the notes, whose keys are the value, became visible or invisible.
    operation INTEGER NOT NULL CHECK (operation BETWEEN 1 AND 7),
    -- JSON text, or a BLOB for readings and entries: see PackedObject.
    value     ANY CHECK ((value IS NULL) = (operation = 3)),
    before    ANY CHECK ((before IS NULL) = (operation = 1 OR operation >= 4))
) STRICT;
CREATE INDEX changes_scope ON changes (scope, reader);
CREATE INDEX changes_deletion ON changes (resource, seq) WHERE operation = 3;
-- Finds the deletions of one kind in a scope after a change, for replays of cards.
CREATE INDEX changes_deletion_scope ON changes (scope, kind, seq) WHERE operation = 3;

-- The log's last change by the hours that the server has been running (see LogRetentionClock). They measure the age of
-- changes, because a change's own time may come from a wrong clock.
CREATE TABLE clock_marks (
    time INTEGER PRIMARY KEY, -- by the retention clock
    seq  INTEGER NOT NULL, -- the log's last change
    wall INTEGER NOT NULL -- the time by the machine's clock
) STRICT;

CREATE TABLE idempotency_keys (
    reader   INTEGER NOT NULL,
    key      TEXT NOT NULL,
    request  BLOB NOT NULL CHECK (length(request) = 32),
    at       INTEGER NOT NULL,
    kind     INTEGER NOT NULL,
    resource BLOB NOT NULL,
    version  INTEGER NOT NULL,
    validator INTEGER NOT NULL, -- the number in the ETag
    effect   INTEGER NOT NULL CHECK (effect BETWEEN 1 AND 4),
    value    TEXT,
    PRIMARY KEY (reader, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotency_keys_at ON idempotency_keys (at);
