-- Books, their editions and chapters, the index of their words, and shelves.

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
    cover_digest   TEXT CHECK (length(cover_digest) = 43), -- the SHA-256 of the image in covers, in base64url
    created_at     INTEGER NOT NULL,
    updated_at     INTEGER NOT NULL,
    -- The reader who added a book, or NULL for a librarian or an administrator.
    added_by       INTEGER REFERENCES readers (key),
    -- The number of readers with a reading of the book.
    reader_count   INTEGER NOT NULL DEFAULT 0,
    -- The first author's name, folded for sorting.
    sort_author    TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX books_isbn ON books (isbn) WHERE isbn IS NOT NULL;
CREATE INDEX books_sort_title ON books (sort_title, key, language, published_year);
-- Unknown years come before all others.
CREATE INDEX books_published_year ON books (ifnull(published_year, -100000), key, language, published_year);
CREATE INDEX books_updated_at ON books (updated_at, key, language, published_year);
CREATE INDEX books_language ON books (lower(language) || '-');
CREATE INDEX books_sort_author ON books (sort_author, key, language, published_year);

-- Uploaded covers: JPEG, PNG, WebP or GIF.
CREATE TABLE covers (
    book  INTEGER PRIMARY KEY REFERENCES books (key),
    image BLOB NOT NULL CHECK (length(image) BETWEEN 1 AND 524288)
) STRICT;

-- Words are folded before they are inserted, so the tokenizer only splits them.
CREATE VIRTUAL TABLE books_words USING fts5 (
    title, authors, language, tokenize = "ascii tokenchars '&=-'", columnsize = 0, prefix = '1 2 3 4'
);

-- The folded words of titles and authors, for suggestions to readers who mistype them. Each is stored under its parts
-- (see MisspellingParts).
CREATE TABLE words (
    part INTEGER NOT NULL,
    word TEXT NOT NULL,
    PRIMARY KEY (part, word)
) STRICT, WITHOUT ROWID;

-- Editions measure a book in their own unit.
CREATE TABLE editions (
    key         INTEGER PRIMARY KEY AUTOINCREMENT, -- never reused
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
    revision    INTEGER NOT NULL CHECK (revision > 0),
    added_by    INTEGER REFERENCES readers (key), -- NULL: a librarian or an administrator
    anchors     TEXT, -- a JSON array: the beginning of each chapter of the book; NULL: unknown
    created_at  INTEGER NOT NULL,
    updated_at  INTEGER NOT NULL
) STRICT;
CREATE INDEX editions_book ON editions (book);

CREATE TABLE chapters (
    key          INTEGER PRIMARY KEY, -- the book's
    id           BLOB NOT NULL UNIQUE CHECK (length(id) = 16), -- the book's
    version      INTEGER NOT NULL,
    chapters     TEXT NOT NULL, -- a JSON array: the name of each chapter, and the share at which it begins
    is_estimated INTEGER NOT NULL CHECK (is_estimated BETWEEN 0 AND 1),
    revision     INTEGER NOT NULL CHECK (revision > 0),
    created_at   INTEGER NOT NULL,
    updated_at   INTEGER NOT NULL
) STRICT;

-- The scales in which amounts are compared: chapters or an edition at a revision, pages of one page count, or plain
-- progress (see ComparisonScale in Model). A row never changes: entries, knowledge, notes and marks keep the scale of
-- their time.
CREATE TABLE scales (
    key  INTEGER PRIMARY KEY CHECK (key > 0),
    book INTEGER NOT NULL REFERENCES books (key),
    name TEXT NOT NULL CHECK (name = 'progress'
        OR name GLOB 'chapters [1-9]*' AND substr(name, 10) NOT GLOB '*[^0-9]*'
        OR name GLOB 'edition ????????-????-????-????-???????????? [1-9]*' AND substr(name, 46) NOT GLOB '*[^0-9]*'
        OR name GLOB 'pages [1-9]*' AND substr(name, 7) NOT GLOB '*[^0-9]*'),
    UNIQUE (book, name)
) STRICT;

CREATE TABLE shelves (
    key        INTEGER PRIMARY KEY,
    id         BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
    version    INTEGER NOT NULL,
    reader     INTEGER NOT NULL REFERENCES readers (key),
    name       TEXT NOT NULL,
    club       INTEGER REFERENCES clubs (key), -- the club that it is shared with; NULL: private
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX shelves_reader ON shelves (reader);
CREATE INDEX shelves_club ON shelves (club) WHERE club IS NOT NULL;

CREATE TABLE shelf_books (
    key        INTEGER PRIMARY KEY,
    id         BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
    version    INTEGER NOT NULL,
    shelf      INTEGER NOT NULL REFERENCES shelves (key),
    book       INTEGER NOT NULL REFERENCES books (key),
    place      INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    UNIQUE (shelf, book)
) STRICT;
CREATE INDEX shelf_books_place ON shelf_books (shelf, place);
CREATE INDEX shelf_books_book ON shelf_books (book);

-- The "Want to read" shelf that each reader has from the start, under the reader's own id. Creating it is not a change,
-- so its version is 0.
CREATE TRIGGER readers_want_to_read AFTER INSERT ON readers BEGIN
    INSERT INTO shelves (id, version, reader, name, created_at, updated_at)
    VALUES (NEW.id, 0, NEW.key, 'Want to read', NEW.created_at, NEW.created_at);
END;
