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
    at              TEXT,
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
    -- The position as it was said, and its meaning then: what becomes of editions, chapters and anchors moves no entry.
    at          TEXT,
    frame       INTEGER, -- a place (see Place) where progress is exact; NULL: no edition was said
    floor       INTEGER CHECK (floor BETWEEN 0 AND 1000000), -- what holds by every other measure
    -- A note that was made with an entry, or of its text: its words are only there. What an entry says itself stays in its row.
    note_id     BLOB CHECK (note_id IS NULL OR length(note_id) = 16 AND note IS NULL),
    -- Its version once its note has become another, or went; NULL: its key.
    changed     INTEGER CHECK (changed > key),
    frame_at    INTEGER CHECK (frame_at BETWEEN 0 AND 1000000000),
    chapters_at INTEGER CHECK (chapters_at BETWEEN 0 AND 1000000000) -- NULL: not known, or the frame's
) STRICT, WITHOUT ROWID;
CREATE INDEX entries_frame ON entries (frame) WHERE frame IS NOT NULL;
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

-- How much of a book its reader knows already, which is no reading.
CREATE TABLE knowledge (
    key         INTEGER PRIMARY KEY,
    id          BLOB NOT NULL UNIQUE CHECK (length(id) = 16), -- follows from the reader and the book
    version     INTEGER NOT NULL,
    reader      INTEGER NOT NULL REFERENCES readers (key),
    book        INTEGER NOT NULL REFERENCES books (key),
    through     TEXT, -- JSON: as far as where; NULL: all of it
    -- What that meant when it was said: see entries.
    progress    INTEGER NOT NULL CHECK (progress BETWEEN 0 AND 1000000),
    frame       INTEGER,
    floor       INTEGER CHECK (floor BETWEEN 0 AND 1000000),
    ceiling     INTEGER CHECK (ceiling BETWEEN 0 AND 1000000), -- where that chapter ends; NULL: no chapters were known
    created_at  INTEGER NOT NULL,
    updated_at  INTEGER NOT NULL,
    frame_at    INTEGER CHECK (frame_at BETWEEN 0 AND 1000000000),
    chapters_at INTEGER CHECK (chapters_at BETWEEN 0 AND 1000000000),
    UNIQUE (reader, book)
) STRICT;
CREATE INDEX knowledge_book ON knowledge (book);
CREATE INDEX knowledge_frame ON knowledge (frame) WHERE frame IS NOT NULL;

-- The furthest that a reader has come, step by step: from the change "since" on, and before the change "until". A place (see Place) is a
-- book's key, an edition, or the negative key of a club in which the reader sees everything. Kept for members of clubs only.
CREATE TABLE reach (
    reader   INTEGER NOT NULL,
    place    INTEGER NOT NULL,
    since    INTEGER NOT NULL,
    until    INTEGER NOT NULL,
    progress INTEGER NOT NULL CHECK (progress BETWEEN 0 AND 1000000000),
    PRIMARY KEY (reader, place, since)
) STRICT, WITHOUT ROWID;
-- The furthest first: whether a reader has been somewhere is known after few of their steps, however many they made.
CREATE INDEX reach_progress ON reach (reader, place, progress DESC, until, since);
