-- Readers, their accounts, tokens and settings.

CREATE TABLE readers (
    key          INTEGER PRIMARY KEY AUTOINCREMENT,
    id           BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
    version      INTEGER NOT NULL,
    name         TEXT NOT NULL,
    role         TEXT NOT NULL CHECK (role IN ('reader', 'administrator')),
    created_at   INTEGER NOT NULL,
    updated_at   INTEGER NOT NULL,
    -- Only for readers who are not administrators.
    is_librarian INTEGER NOT NULL DEFAULT 0 CHECK (is_librarian BETWEEN 0 AND 1),
    -- Readers who left keep a row without a name, because their notes in clubs refer to it.
    has_left     INTEGER NOT NULL DEFAULT 0 CHECK (has_left BETWEEN 0 AND 1),
    suspension   TEXT, -- a JSON object with time and reason; NULL: not suspended
    CHECK (has_left = 0 OR name = '' AND role = 'reader' AND is_librarian = 0)
) STRICT;
CREATE INDEX readers_suspended ON readers (key) WHERE suspension IS NOT NULL;

CREATE TABLE accounts (
    reader      INTEGER PRIMARY KEY REFERENCES readers (key),
    name        TEXT NOT NULL, -- as the reader chose it
    folded      TEXT NOT NULL UNIQUE, -- as it is compared
    password    TEXT, -- the hash by crypt(3); NULL: none
    password_at INTEGER -- when it was set
) STRICT;

CREATE TABLE identities (
    issuer     TEXT NOT NULL,
    subject    TEXT NOT NULL,
    reader     INTEGER NOT NULL REFERENCES readers (key),
    created_at INTEGER NOT NULL,
    PRIMARY KEY (issuer, subject)
) STRICT, WITHOUT ROWID;
CREATE INDEX identities_reader ON identities (reader);

CREATE TABLE tokens (
    key           INTEGER PRIMARY KEY,
    id            BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
    version       INTEGER NOT NULL,
    reader        INTEGER NOT NULL REFERENCES readers (key),
    name          TEXT NOT NULL,
    access        TEXT NOT NULL CHECK (access IN ('read', 'write')),
    digest        BLOB NOT NULL UNIQUE CHECK (length(digest) = 32),
    expires_at    INTEGER,
    last_used_day INTEGER,
    created_at    INTEGER NOT NULL,
    -- A session is a token that a sign-in created.
    is_session    INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX tokens_reader ON tokens (reader);

CREATE TABLE links (
    key        INTEGER PRIMARY KEY,
    id         BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
    version    INTEGER NOT NULL,
    kind       TEXT NOT NULL CHECK (kind IN ('invitation', 'reset', 'signin')),
    reader     INTEGER REFERENCES readers (key), -- the reader of a reset or sign-in
    club       INTEGER REFERENCES clubs (key), -- the club of an invitation
    maker      INTEGER NOT NULL REFERENCES readers (key),
    digest     BLOB NOT NULL UNIQUE CHECK (length(digest) = 32),
    expires_at INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    CHECK ((reader IS NOT NULL) = (kind <> 'invitation') AND (club IS NULL OR kind = 'invitation'))
) STRICT;
CREATE INDEX links_maker ON links (maker);
CREATE INDEX links_reader ON links (reader) WHERE reader IS NOT NULL;
CREATE INDEX links_club ON links (club) WHERE club IS NOT NULL;

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

-- Managed accounts and their guardians. A guardian's own account is not managed.
CREATE TABLE guardianships (
    reader   INTEGER PRIMARY KEY REFERENCES readers (key),
    guardian INTEGER NOT NULL REFERENCES readers (key)
) STRICT;
CREATE INDEX guardianships_guardian ON guardianships (guardian);

-- Readers whose rows are being deleted in slices, with the progress.
CREATE TABLE departures (
    reader INTEGER PRIMARY KEY REFERENCES readers (key),
    stage  INTEGER NOT NULL CHECK (stage BETWEEN 0 AND 5),
    place  INTEGER NOT NULL -- within the stage
) STRICT;

-- Streams: the URLs that a client watches on one connection. Their changes are not logged.
CREATE TABLE streams (
    key        INTEGER PRIMARY KEY,
    id         BLOB NOT NULL UNIQUE,
    version    INTEGER NOT NULL,
    reader     INTEGER NOT NULL REFERENCES readers (key),
    -- The token's id. A stream outlives its token, so that a client that reconnects learns that the token has ended.
    token      BLOB,
    digest     BLOB NOT NULL UNIQUE,
    watch      TEXT NOT NULL,
    heartbeat  INTEGER NOT NULL,
    debounce   INTEGER NOT NULL,
    lease      INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX streams_of_reader ON streams (reader);

CREATE TABLE scenes (
    key        INTEGER PRIMARY KEY,
    id         BLOB NOT NULL UNIQUE CHECK (length(id) = 16), -- derived from the reader, the device and the name
    version    INTEGER NOT NULL,
    reader     INTEGER NOT NULL REFERENCES readers (key),
    device     TEXT NOT NULL,
    name       TEXT NOT NULL,
    value      TEXT NOT NULL, -- JSON
    used_day   INTEGER NOT NULL, -- since 1970-01-01, by the retention clock
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX scenes_reader ON scenes (reader);
CREATE INDEX scenes_used ON scenes (used_day);

-- Ids that clients chose for new resources, with a digest of the request. They are kept forever, so that even a very
-- late retry is recognized, also after the resource was deleted.
CREATE TABLE claims (
    id     BLOB NOT NULL CHECK (length(id) = 16),
    kind   INTEGER NOT NULL,
    reader INTEGER NOT NULL REFERENCES readers (key),
    digest BLOB NOT NULL CHECK (length(digest) = 32),
    PRIMARY KEY (id, kind)
) STRICT, WITHOUT ROWID;

-- The settings that each reader has from the start, under the reader's own id. Creating them is not a change, so their
-- version is 0, and an imported reader may have been changed since.
CREATE TRIGGER readers_settings AFTER INSERT ON readers BEGIN
    INSERT INTO settings (key, id, version, created_at, updated_at)
    VALUES (NEW.key, NEW.id, 0, NEW.created_at, NEW.created_at);
END;
