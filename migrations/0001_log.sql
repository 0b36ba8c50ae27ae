-- The change log and what belongs to the database as a whole. Keys are integers of this server; ids are what clients see. Times
-- are milliseconds since 1970 (UTC).

PRAGMA application_id = 0x4c637431; -- Lct1

CREATE TABLE meta (
    name  TEXT NOT NULL PRIMARY KEY,
    value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The change log. It is reversible: "before" laid over "value" gives what was there before, and the version in it is the
-- seq of the resource's change before this one. So what a resource was at any time is found by walking back from what it
-- is, or from its deletion.
--
-- No seq is used twice, because the newest row is never deleted: retention always leaves it. (AUTOINCREMENT would say the
-- same by writing another table at each insert.)
CREATE TABLE changes (
    seq       INTEGER PRIMARY KEY,
    command   INTEGER NOT NULL, -- the seq of the first change of the same command
    at        INTEGER NOT NULL,
    kind      INTEGER NOT NULL,
    resource  BLOB NOT NULL CHECK (length(resource) = 16),
    scope     INTEGER NOT NULL, -- 0: everyone; the key of the reader whose private thing it is; the negative key of a club
    reader    INTEGER NOT NULL, -- of those who may see the scope the one it is for; 0: all of them
    operation INTEGER NOT NULL CHECK (operation BETWEEN 1 AND 4),
    value     TEXT CHECK ((value IS NULL) = (operation = 3)),
    before    TEXT CHECK ((before IS NULL) = (operation = 1 OR operation = 4))
) STRICT;
CREATE INDEX changes_scope ON changes (scope, reader);
CREATE INDEX changes_deletion ON changes (resource, seq) WHERE operation = 3;
-- What of a kind was deleted of a reader's, or a club's, after a change: replayed cards ask for it.
CREATE INDEX changes_deletion_scope ON changes (scope, kind, seq) WHERE operation = 3;

-- How far the log had come by the hours that the server has been running (see HouseClock): the age of a change is told by
-- them, not by its own time, which a wrong clock may have written.
CREATE TABLE clock_marks (
    time INTEGER PRIMARY KEY, -- by the retention clock
    seq  INTEGER NOT NULL, -- the log's last change
    wall INTEGER NOT NULL -- what the machine's clock said
) STRICT;

CREATE TABLE idempotency_keys (
    reader   INTEGER NOT NULL,
    key      TEXT NOT NULL,
    request  BLOB NOT NULL CHECK (length(request) = 32),
    at       INTEGER NOT NULL,
    kind     INTEGER NOT NULL,
    resource BLOB NOT NULL,
    version  INTEGER NOT NULL,
    effect   INTEGER NOT NULL CHECK (effect BETWEEN 1 AND 4),
    value    TEXT,
    PRIMARY KEY (reader, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotency_keys_at ON idempotency_keys (at);
