-- Where in the story: the forms in which a book can be had, its chapters, and where these begin in each.

CREATE TABLE editions (
    key         INTEGER PRIMARY KEY AUTOINCREMENT, -- what is measured by one is known by its key
    id          BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
    version     INTEGER NOT NULL,
    book        INTEGER NOT NULL REFERENCES books (key),
    format      TEXT NOT NULL CHECK (format = 'paper' OR format = 'ebook' OR format = 'audio'),
    unit        TEXT NOT NULL CHECK (unit = 'page' OR unit = 'second' OR unit = 'location' OR unit = 'percent'),
    -- In thousandths of the unit.
    length      INTEGER NOT NULL CHECK (length > 0),
    story_start INTEGER NOT NULL CHECK (story_start >= 0 AND story_start < story_end),
    story_end   INTEGER NOT NULL CHECK (story_end <= length),
    name        TEXT,
    isbn        TEXT,
    language    TEXT,
    narrator    TEXT,
    added_by    INTEGER REFERENCES readers (key), -- NULL: the house
    created_at  INTEGER NOT NULL,
    updated_at  INTEGER NOT NULL
) STRICT;
CREATE INDEX editions_book ON editions (book);

CREATE TABLE chapters (
    key          INTEGER PRIMARY KEY, -- the book's
    id           BLOB NOT NULL UNIQUE CHECK (length(id) = 16), -- the book's
    version      INTEGER NOT NULL,
    chapters     TEXT NOT NULL, -- a JSON array: what each is called, and the share of the story where it begins
    is_estimated INTEGER NOT NULL CHECK (is_estimated BETWEEN 0 AND 1),
    created_at   INTEGER NOT NULL,
    updated_at   INTEGER NOT NULL
) STRICT;

CREATE TABLE anchors (
    key        INTEGER PRIMARY KEY, -- the edition's
    id         BLOB NOT NULL UNIQUE CHECK (length(id) = 16), -- the edition's
    version    INTEGER NOT NULL,
    begins     TEXT NOT NULL, -- a JSON array: where each chapter begins
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT;

-- Not a key: what is sent of a reading is read of its row alone. An edition that somebody reads stays.
ALTER TABLE readings ADD COLUMN edition BLOB CHECK (length(edition) = 16);
ALTER TABLE readings ADD COLUMN at TEXT;
CREATE INDEX readings_edition ON readings (edition) WHERE edition IS NOT NULL;

-- As it was said, and what that meant then: what becomes of editions, chapters and anchors moves no entry.
ALTER TABLE entries ADD COLUMN at TEXT;
ALTER TABLE entries ADD COLUMN frame INTEGER; -- a place (see Place) where progress is exact; NULL: no edition was said
ALTER TABLE entries ADD COLUMN floor INTEGER CHECK (floor BETWEEN 0 AND 1000000); -- what holds by every other measure
CREATE INDEX entries_frame ON entries (frame) WHERE frame IS NOT NULL;
