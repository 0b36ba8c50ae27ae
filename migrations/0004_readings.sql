-- Readings, their entries, and the marks of readers.

CREATE TABLE readings (
    key             INTEGER PRIMARY KEY AUTOINCREMENT,
    id              BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
    version         INTEGER NOT NULL,
    reader          INTEGER NOT NULL REFERENCES readers (key),
    book            INTEGER NOT NULL REFERENCES books (key),
    number          INTEGER NOT NULL CHECK (number >= 1),
    -- Without IN, which would create and drop a table of the four words at each write.
    state           TEXT NOT NULL CHECK (state = 'reading' OR state = 'paused' OR state = 'finished' OR state = 'abandoned'),
    progress        INTEGER NOT NULL CHECK (progress BETWEEN 0 AND 1000000),
    page            INTEGER CHECK (page BETWEEN 0 AND 100000),
    latest_entry    BLOB,
    latest_entry_at INTEGER,
    finished_at     INTEGER,
    created_at      INTEGER NOT NULL,
    updated_at      INTEGER NOT NULL,
    -- The page count of the edition: that of the book when the reading began, unless the reader changed it.
    page_count      INTEGER CHECK (page_count BETWEEN 1 AND 100000),
    -- Not a foreign key, because a reading is sent from its own row alone. An edition in use cannot be deleted.
    edition         BLOB CHECK (length(edition) = 16),
    position        TEXT, -- JSON
    -- NULL: unknown.
    started_at      INTEGER CHECK (started_at <= finished_at)
) STRICT;
CREATE INDEX readings_reader ON readings (reader);
CREATE UNIQUE INDEX readings_book ON readings (book, reader, number);
CREATE INDEX readings_edition ON readings (edition) WHERE edition IS NOT NULL;

-- Clustered by id. The server creates ids in order of time, so new rows go to the end, and there is one tree less to
-- write than with a separate key. The key of an entry is the seq of the change that created it, which is also its
-- version.
CREATE TABLE entries (
    id          BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    key         INTEGER NOT NULL,
    reading     INTEGER NOT NULL,
    progress    INTEGER NOT NULL CHECK (progress BETWEEN 0 AND 1000000),
    page        INTEGER CHECK (page BETWEEN 0 AND 100000),
    note        TEXT,
    device      TEXT,
    happened_at INTEGER NOT NULL,
    received_at INTEGER NOT NULL,
    position    TEXT, -- JSON, as it was sent; NULL: a bare page or progress
    -- The amounts in the scale of the position and by chapters; NULL: unknown.
    scale           INTEGER,
    amount          INTEGER CHECK ((amount IS NULL) = (scale IS NULL) AND ifnull(amount, 0) >= 0),
    chapters        INTEGER,
    chapters_amount INTEGER CHECK ((chapters_amount IS NULL) = (chapters IS NULL) AND ifnull(chapters_amount, 0) >= 0),
    -- The note that was created with the entry or from its text, and that has the words. An entry's own text stays in
    -- its row.
    note_id     BLOB CHECK (note_id IS NULL OR length(note_id) = 16 AND note IS NULL),
    -- The version after its note was changed or deleted; NULL: the key.
    changed     INTEGER CHECK (changed > key)
) STRICT, WITHOUT ROWID;
CREATE INDEX entries_note ON entries (note_id) WHERE note_id IS NOT NULL;
CREATE INDEX entries_reading ON entries (reading, happened_at, key, changed);

-- Deleted readings that had entries. The entries are deleted later, in slices, so that no command waits for all of
-- them. The row is deleted with the last of them.
CREATE TABLE deleted_readings (
    reading INTEGER PRIMARY KEY -- the former key of the reading, which is not reused
) STRICT;

-- The statements of readers about how much of a book they know without a reading.
CREATE TABLE knowledge (
    key             INTEGER PRIMARY KEY,
    id              BLOB NOT NULL UNIQUE CHECK (length(id) = 16), -- derived from the reader and the book
    version         INTEGER NOT NULL,
    reader          INTEGER NOT NULL REFERENCES readers (key),
    book            INTEGER NOT NULL REFERENCES books (key),
    through         TEXT, -- JSON: the position up to which it is known; NULL: the whole book
    progress        INTEGER NOT NULL CHECK (progress BETWEEN 0 AND 1000000),
    -- As in entries.
    scale           INTEGER,
    amount          INTEGER CHECK ((amount IS NULL) = (scale IS NULL) AND ifnull(amount, 0) >= 0),
    chapters        INTEGER,
    chapters_amount INTEGER CHECK ((chapters_amount IS NULL) = (chapters IS NULL) AND ifnull(chapters_amount, 0) >= 0),
    created_at      INTEGER NOT NULL,
    updated_at      INTEGER NOT NULL,
    UNIQUE (reader, book),
    CHECK (through IS NOT NULL OR scale IS NULL AND chapters IS NULL AND progress = 1000000)
) STRICT;
CREATE INDEX knowledge_book ON knowledge (book);

-- The ratings of readings.
CREATE TABLE ratings (
    key        INTEGER PRIMARY KEY,
    id         BLOB NOT NULL UNIQUE CHECK (length(id) = 16), -- the reading's
    version    INTEGER NOT NULL,
    reading    INTEGER NOT NULL UNIQUE REFERENCES readings (key),
    reader     INTEGER NOT NULL REFERENCES readers (key), -- the reading's
    stars      INTEGER NOT NULL CHECK (stars BETWEEN 1 AND 10), -- in half stars
    note_id    BLOB CHECK (length(note_id) = 16), -- the note with the review
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX ratings_reader ON ratings (reader);
CREATE INDEX ratings_note ON ratings (note_id) WHERE note_id IS NOT NULL;

-- The high-water marks of members of clubs: the greatest amount in a scale of their entries, finished readings and
-- knowledge, from the change "since" until before the change "until". The current mark is the interval without an end.
CREATE TABLE marks (
    reader     INTEGER NOT NULL,
    book       INTEGER NOT NULL, -- 0: all notes of a club, for a moderator who sees ahead
    scale      INTEGER NOT NULL, -- 0: the plain share of the book; negative: the key of that club
    value      INTEGER NOT NULL CHECK (value >= 0),
    since      INTEGER NOT NULL,
    until      INTEGER NOT NULL CHECK (until > since),
    reached_at INTEGER NOT NULL,
    PRIMARY KEY (reader, book, scale, until)
) STRICT, WITHOUT ROWID;
