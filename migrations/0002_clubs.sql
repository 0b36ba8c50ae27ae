-- Clubs, who is in them, and the notes that are shared in them.

CREATE TABLE clubs (
    key                  INTEGER PRIMARY KEY AUTOINCREMENT,
    id                   BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
    version              INTEGER NOT NULL,
    name                 TEXT NOT NULL,
    description          TEXT,
    moderators_see_ahead INTEGER NOT NULL CHECK (moderators_see_ahead BETWEEN 0 AND 1),
    counts_ahead         INTEGER NOT NULL CHECK (counts_ahead BETWEEN 0 AND 1),
    is_archived          INTEGER NOT NULL CHECK (is_archived BETWEEN 0 AND 1),
    created_at           INTEGER NOT NULL,
    updated_at           INTEGER NOT NULL
) STRICT;

-- The key is the seq of the change that made the row: what happened in the club before it, the member is not told.
CREATE TABLE members (
    key        INTEGER PRIMARY KEY,
    id         BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
    version    INTEGER NOT NULL,
    -- Deferred: a club's founder is in it before it is there, and so is told that it came to be.
    club       INTEGER NOT NULL REFERENCES clubs (key) DEFERRABLE INITIALLY DEFERRED,
    reader     INTEGER NOT NULL REFERENCES readers (key),
    name       TEXT NOT NULL,
    role       TEXT NOT NULL CHECK (role = 'owner' OR role = 'moderator' OR role = 'member'),
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    UNIQUE (reader, club)
) STRICT;
CREATE INDEX members_club ON members (club);

CREATE TABLE invitations (
    key        INTEGER PRIMARY KEY,
    id         BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
    version    INTEGER NOT NULL,
    club       INTEGER NOT NULL REFERENCES clubs (key),
    maker      INTEGER NOT NULL REFERENCES readers (key),
    code       TEXT NOT NULL UNIQUE,
    uses       INTEGER NOT NULL CHECK (uses BETWEEN 0 AND uses_max),
    uses_max   INTEGER NOT NULL,
    expires_at INTEGER,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX invitations_club ON invitations (club);

-- The key is the seq of the change that made the note. A deleted note keeps its row, without its body, as long as its club
-- lives: who may be told of it, and of its end, depends on its position.
CREATE TABLE notes (
    key        INTEGER PRIMARY KEY,
    id         BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
    version    INTEGER NOT NULL,
    book       INTEGER NOT NULL REFERENCES books (key),
    club       INTEGER REFERENCES clubs (key), -- NULL: private
    author     INTEGER NOT NULL REFERENCES readers (key),
    thread     BLOB CHECK (length(thread) = 16), -- of a reply: the note that the thread began with
    position   INTEGER CHECK (position BETWEEN 0 AND 1000000), -- NULL: of the book as a whole
    page       INTEGER,
    body       TEXT, -- NULL: deleted
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX notes_club ON notes (club, book, position);
CREATE INDEX notes_author ON notes (author);

CREATE VIRTUAL TABLE notes_words USING fts5 (body, tokenize = 'ascii', detail = 'column');

-- How far a reader has ever been, step by step: from the change "since" on, and before the change "until". A place is a
-- book's key, or the negative key of a club in which the reader sees everything. Kept for members of clubs only.
CREATE TABLE reach (
    reader   INTEGER NOT NULL,
    place    INTEGER NOT NULL,
    since    INTEGER NOT NULL,
    until    INTEGER NOT NULL,
    progress INTEGER NOT NULL CHECK (progress BETWEEN 0 AND 1000000),
    PRIMARY KEY (reader, place, since)
) STRICT, WITHOUT ROWID;
