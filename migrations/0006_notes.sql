-- Notes, private ones and those of clubs.

-- The key is the seq of the change that made the note. A deleted note keeps its row, without its body, as long as its club
-- lives: who may be told of it, and of its end, depends on its position.
CREATE TABLE notes (
    key           INTEGER PRIMARY KEY,
    id            BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
    version       INTEGER NOT NULL,
    book          INTEGER NOT NULL REFERENCES books (key),
    club          INTEGER REFERENCES clubs (key), -- NULL: private
    author        INTEGER NOT NULL REFERENCES readers (key),
    thread        BLOB CHECK (length(thread) = 16), -- of a reply: the note that the thread began with
    progress      INTEGER CHECK (progress BETWEEN 0 AND 1000000), -- the plain share; NULL: of the book as a whole
    body          TEXT, -- NULL: deleted
    reactions     TEXT NOT NULL DEFAULT '{}', -- a JSON object: how many of each
    reply_count   INTEGER NOT NULL CHECK (reply_count >= 0), -- of the thread that it began: the replies that all see who see it
    created_at    INTEGER NOT NULL,
    updated_at    INTEGER NOT NULL,
    -- The threshold: readers see the note whose mark in "scale" reaches "at", or whose mark in the book reaches "share".
    scale         INTEGER,
    at            INTEGER CHECK ((at IS NULL) = (scale IS NULL) AND ifnull(at, 1) > 0),
    share         INTEGER NOT NULL CHECK (share BETWEEN 0 AND 1000000),
    position      TEXT, -- JSON: as it was said
    opens_at      TEXT, -- JSON: the position to which the threshold was raised
    about         BLOB CHECK (length(about) = 16), -- a meeting or a milestone
    -- The key of the note that a reply answers.
    answers       INTEGER,
    run           BLOB CHECK (length(run) = 16),
    -- What the author of a club's note is called there, beside the note; NULL of private notes and of nobody's.
    author_name   TEXT,
    -- Whoever wrote it went from the club and is not named as its author any more.
    is_nameless   INTEGER NOT NULL DEFAULT 0 CHECK (is_nameless BETWEEN 0 AND 1),
    -- What a note is, what it cites, and in which language that is.
    kind          TEXT CHECK (kind IN ('thought', 'quote', 'question', 'prediction')), -- NULL: nobody has said it
    quote         TEXT,
    language      TEXT,
    -- For whom a note of a club is: NULL is everybody in it. Each may become for more readers, never for fewer. Since which change of the
    -- log it is so: NULL from the start; what was told before is not told those for whom it was not.
    audience      TEXT CHECK (audience = 'moderators'),
    to_moderators INTEGER,
    to_club       INTEGER
) STRICT;
-- In the order of the key, as they are listed: a page costs what it shows, however many there are.
CREATE INDEX notes_club ON notes (club);
CREATE INDEX notes_book ON notes (book);
CREATE INDEX notes_author ON notes (author);
CREATE INDEX notes_thread ON notes (thread) WHERE thread IS NOT NULL;
CREATE INDEX notes_answers ON notes (answers) WHERE answers IS NOT NULL;
CREATE INDEX notes_audience ON notes (club) WHERE audience IS NOT NULL;
-- Which notes an entry unlocks is found in it alone.
CREATE INDEX notes_threshold ON notes (club, scale, at, share, book, author, audience) WHERE body IS NOT NULL AND scale IS NOT NULL;
CREATE INDEX notes_share ON notes (club, book, share, scale, at, author, audience) WHERE body IS NOT NULL;

CREATE VIRTUAL TABLE notes_words USING fts5 (body, tokenize = "ascii tokenchars '&'", columnsize = 0);

CREATE TABLE reactions (
    note     INTEGER NOT NULL REFERENCES notes (key),
    reader   INTEGER NOT NULL,
    reaction TEXT NOT NULL,
    PRIMARY KEY (note, reader, reaction)
) STRICT, WITHOUT ROWID;

-- What is to be done to many notes of one reader, slice by slice.
CREATE TABLE note_chores (
    reader INTEGER NOT NULL REFERENCES readers (key),
    club   INTEGER NOT NULL, -- whose notes are meant; 0: all clubs'
    chore  TEXT NOT NULL CHECK (chore IN ('name', 'nameless', 'delete')),
    place  INTEGER NOT NULL, -- the key of the last note that was looked at
    until  INTEGER NOT NULL, -- notes with this key and greater ones are not meant: they were written since
    PRIMARY KEY (reader, club, chore)
) STRICT, WITHOUT ROWID;
