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
    position      INTEGER CHECK (position BETWEEN 0 AND 1000000), -- NULL: of the book as a whole
    page          INTEGER,
    body          TEXT, -- NULL: deleted
    reactions     TEXT NOT NULL DEFAULT '{}', -- a JSON object: how many of each
    created_at    INTEGER NOT NULL,
    updated_at    INTEGER NOT NULL,
    -- Where a note opens, which is what the gate compares: two numbers that are said once, when it is written, so that nothing that
    -- is said of the book later moves it.
    --
    -- Whose steps are at the place "frame" of the table "reach" sees the note from "frame_at" on, exactly; both are NULL where nothing
    -- compares so. All others see it from "opens_at" on, which lies no earlier. What names no edition compares with what names none,
    -- as it always did: its frame is its book. The position is only where a note speaks of.
    opens_at      INTEGER NOT NULL DEFAULT 0 CHECK (opens_at BETWEEN 0 AND 1000000),
    frame         INTEGER,
    opens         TEXT CHECK (opens IN ('position', 'finished', 'everyone')), -- NULL: nobody has said it
    at            TEXT,
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
    to_club       INTEGER,
    chapters_at   INTEGER CHECK (chapters_at BETWEEN 0 AND 1000000000),
    frame_at      INTEGER CHECK (frame_at BETWEEN 0 AND 1000000000),
    -- Notes of which it is not told where they open: it may be as far as their authors know the book.
    is_reticent   INTEGER NOT NULL DEFAULT 0 CHECK (is_reticent BETWEEN 0 AND 1)
) STRICT;
-- In the order of the key, as they are listed: a page costs what it shows, however many there are.
CREATE INDEX notes_club ON notes (club);
CREATE INDEX notes_book ON notes (book);
CREATE INDEX notes_author ON notes (author);
CREATE INDEX notes_answers ON notes (answers) WHERE answers IS NOT NULL;
CREATE INDEX notes_audience ON notes (club) WHERE audience IS NOT NULL;
-- Which notes an entry unlocks is found in it alone.
CREATE INDEX notes_ahead ON notes (club, frame, frame_at, opens_at, book, author, audience, chapters_at) WHERE body IS NOT NULL;
CREATE INDEX notes_opening ON notes (club, book, opens_at, frame, frame_at, author, audience, chapters_at) WHERE body IS NOT NULL;
CREATE INDEX notes_chapters ON notes (club, book, chapters_at, opens_at, frame, frame_at, author, audience)
    WHERE body IS NOT NULL AND chapters_at IS NOT NULL;

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
