-- Integer keys are the house's own; ids are what clients see. Times are milliseconds since 1970 (UTC).

CREATE TABLE meta (
    name  TEXT NOT NULL PRIMARY KEY,
    value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE readers (
    key        INTEGER PRIMARY KEY AUTOINCREMENT,
    id         BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
    version    INTEGER NOT NULL,
    name       TEXT NOT NULL,
    role       TEXT NOT NULL CHECK (role IN ('reader', 'administrator')),
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT;

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
    created_at    INTEGER NOT NULL
) STRICT;
CREATE INDEX tokens_reader ON tokens (reader);

CREATE TABLE books (
    key            INTEGER PRIMARY KEY,
    id             BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
    version        INTEGER NOT NULL,
    card_version   INTEGER NOT NULL,
    title          TEXT NOT NULL,
    sort_title     TEXT NOT NULL,
    authors        TEXT NOT NULL, -- a JSON array of names
    isbn           TEXT,
    page_count     INTEGER CHECK (page_count BETWEEN 1 AND 100000),
    language       TEXT,
    published_year INTEGER,
    cover_url      TEXT,
    created_at     INTEGER NOT NULL,
    updated_at     INTEGER NOT NULL
) STRICT;
CREATE INDEX books_sort_title ON books (sort_title);
-- Unknown years come before all others.
CREATE INDEX books_published_year ON books (ifnull(published_year, -100000));
CREATE INDEX books_updated_at ON books (updated_at);
CREATE INDEX books_isbn ON books (isbn) WHERE isbn IS NOT NULL;

-- Words are folded before they come here, so the tokenizer has nothing left to decide.
CREATE VIRTUAL TABLE books_words USING fts5 (title, authors, tokenize = 'ascii', detail = 'column');

CREATE TABLE readings (
    key             INTEGER PRIMARY KEY,
    id              BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
    version         INTEGER NOT NULL,
    reader          INTEGER NOT NULL REFERENCES readers (key),
    book            INTEGER NOT NULL REFERENCES books (key),
    number          INTEGER NOT NULL CHECK (number >= 1),
    -- Not IN: that makes and drops a table of the four words at each write.
    state           TEXT NOT NULL
        CHECK (state = 'reading' OR state = 'paused' OR state = 'finished' OR state = 'abandoned'),
    progress        INTEGER NOT NULL CHECK (progress BETWEEN 0 AND 1000000),
    page            INTEGER CHECK (page BETWEEN 0 AND 100000),
    latest_entry    BLOB,
    latest_entry_at INTEGER,
    finished_at     INTEGER,
    created_at      INTEGER NOT NULL,
    updated_at      INTEGER NOT NULL
) STRICT;
CREATE INDEX readings_reader ON readings (reader);
CREATE UNIQUE INDEX readings_book ON readings (book, reader, number);

-- Clustered by id, which the server makes in the order of time: new rows go to the end, and there is one tree less to
-- write than with keys of their own. Their key is the seq of the change that made them, and their version too.
CREATE TABLE entries (
    id          BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    key         INTEGER NOT NULL,
    reading     INTEGER NOT NULL REFERENCES readings (key),
    progress    INTEGER NOT NULL CHECK (progress BETWEEN 0 AND 1000000),
    page        INTEGER CHECK (page BETWEEN 0 AND 100000),
    note        TEXT,
    device      TEXT,
    happened_at INTEGER NOT NULL,
    received_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX entries_reading ON entries (reading, happened_at, key);

-- The change log. It is reversible: "before" laid over "value" gives what was there before, and the version in it is the
-- seq of the resource's change before this one. So what a resource was at any time is found by walking back from what it
-- is, or from its deletion.
--
-- No seq is used twice, because the newest row is never deleted: retention always leaves it. (AUTOINCREMENT would say the
-- same by writing another table at each insert.)
CREATE TABLE changes (
    seq         INTEGER PRIMARY KEY,
    command     INTEGER NOT NULL, -- the seq of the first change of the same command
    at          INTEGER NOT NULL,
    kind        INTEGER NOT NULL,
    resource    BLOB NOT NULL CHECK (length(resource) = 16),
    scope       INTEGER NOT NULL, -- 0: everyone; the key of the reader whose private thing it is; the negative key of a club
    reader      INTEGER NOT NULL, -- of those who may see the scope the one it is for; 0: all of them
    operation   INTEGER NOT NULL CHECK (operation BETWEEN 1 AND 4),
    value       TEXT CHECK ((value IS NULL) = (operation = 3)),
    before      TEXT CHECK ((before IS NULL) = (operation = 1 OR operation = 4))
) STRICT;
CREATE INDEX changes_scope ON changes (scope, reader);
CREATE INDEX changes_deletion ON changes (resource, seq) WHERE operation = 3;

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
