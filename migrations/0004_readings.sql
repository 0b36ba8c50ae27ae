-- Readings, their entries, and how far readers have come.

CREATE TABLE readings (
    key             INTEGER PRIMARY KEY,
    id              BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
    version         INTEGER NOT NULL,
    reader          INTEGER NOT NULL REFERENCES readers (key),
    book            INTEGER NOT NULL REFERENCES books (key),
    number          INTEGER NOT NULL CHECK (number >= 1),
    -- Not IN: that makes and drops a table of the four words at each write.
    state           TEXT NOT NULL CHECK (state = 'reading' OR state = 'paused' OR state = 'finished' OR state = 'abandoned'),
    progress        INTEGER NOT NULL CHECK (progress BETWEEN 0 AND 1000000),
    page            INTEGER CHECK (page BETWEEN 0 AND 100000),
    latest_entry    BLOB,
    latest_entry_at INTEGER,
    finished_at     INTEGER,
    created_at      INTEGER NOT NULL,
    updated_at      INTEGER NOT NULL,
    -- The pages of the edition that is read: those that the book had when the reading began, unless its reader says otherwise.
    page_count      INTEGER CHECK (page_count BETWEEN 1 AND 100000),
    -- Not a key: what is sent of a reading is read of its row alone. An edition that somebody reads stays.
    edition         BLOB CHECK (length(edition) = 16),
    position        TEXT, -- JSON
    -- NULL: nobody said it.
    started_at      INTEGER
) STRICT;
CREATE INDEX readings_reader ON readings (reader);
CREATE UNIQUE INDEX readings_book ON readings (book, reader, number);
CREATE INDEX readings_edition ON readings (edition) WHERE edition IS NOT NULL;

-- Clustered by id, which the server makes in the order of time: new rows go to the end, and there is one tree less to
-- write than with keys of their own. Their key is the seq of the change that made them, and their version too.
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
    position    TEXT, -- JSON: as it was said; NULL: as a bare page or progress
    -- Its amounts, in the scale in which it was said and by chapters; NULL: not known.
    scale           INTEGER,
    amount          INTEGER CHECK ((amount IS NULL) = (scale IS NULL) AND ifnull(amount, 0) >= 0),
    chapters        INTEGER,
    chapters_amount INTEGER CHECK ((chapters_amount IS NULL) = (chapters IS NULL) AND ifnull(chapters_amount, 0) >= 0),
    -- A note that was made with an entry, or of its text: its words are only there. What an entry says itself stays in its row.
    note_id     BLOB CHECK (note_id IS NULL OR length(note_id) = 16 AND note IS NULL),
    -- Its version once its note has become another, or went; NULL: its key.
    changed     INTEGER CHECK (changed > key)
) STRICT, WITHOUT ROWID;
CREATE INDEX entries_note ON entries (note_id) WHERE note_id IS NOT NULL;
CREATE INDEX entries_reading ON entries (reading, happened_at, key, changed);
-- Entries of devices whose clocks were ahead took place when they were received: the pace of a reading looks for them in that order.
CREATE INDEX entries_ahead ON entries (reading, received_at, key) WHERE happened_at > received_at;

-- Readings that show a latest entry which has not come yet: entries come after them.
CREATE TABLE awaited_entries (
    reading INTEGER PRIMARY KEY REFERENCES readings (key) ON DELETE CASCADE
) STRICT;

-- Readings that were deleted while they had entries. These go in slices afterwards, so that nobody waits for all of them: until then
-- they belong to no reading that there is. The row goes with the last of them.
CREATE TABLE doomed_readings (
    reading INTEGER PRIMARY KEY -- the key that the reading had; no other gets it meanwhile
) STRICT;

-- How far readers know books already, which is no reading.
CREATE TABLE knowledge (
    key             INTEGER PRIMARY KEY,
    id              BLOB NOT NULL UNIQUE CHECK (length(id) = 16), -- follows from the reader and the book
    version         INTEGER NOT NULL,
    reader          INTEGER NOT NULL REFERENCES readers (key),
    book            INTEGER NOT NULL REFERENCES books (key),
    through         TEXT, -- JSON: how far; NULL: all of it
    progress        INTEGER NOT NULL CHECK (progress BETWEEN 0 AND 1000000),
    -- See entries.
    scale           INTEGER,
    amount          INTEGER CHECK ((amount IS NULL) = (scale IS NULL) AND ifnull(amount, 0) >= 0),
    chapters        INTEGER,
    chapters_amount INTEGER CHECK ((chapters_amount IS NULL) = (chapters IS NULL) AND ifnull(chapters_amount, 0) >= 0),
    created_at      INTEGER NOT NULL,
    updated_at      INTEGER NOT NULL,
    UNIQUE (reader, book)
) STRICT;
CREATE INDEX knowledge_book ON knowledge (book);

-- High-water marks of members of clubs: the greatest amount in a scale that their entries, finished readings and knowledge say, from
-- the change "since" on and before the change "until". The open interval is the mark of now.
CREATE TABLE marks (
    reader     INTEGER NOT NULL,
    book       INTEGER NOT NULL, -- 0: of a club that its moderator sees ahead
    scale      INTEGER NOT NULL, -- 0: the plain share of the book; negative: the key of that club
    value      INTEGER NOT NULL CHECK (value >= 0),
    since      INTEGER NOT NULL,
    until      INTEGER NOT NULL CHECK (until > since),
    reached_at INTEGER NOT NULL,
    PRIMARY KEY (reader, book, scale, until)
) STRICT, WITHOUT ROWID;
