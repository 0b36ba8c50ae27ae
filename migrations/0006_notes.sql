-- Private notes and notes of clubs.

-- The key is the seq of the change that created the note. A deleted note keeps its row, without its body, as long as
-- its club exists, because its position decides who may receive its changes and its deletion.
CREATE TABLE notes (
    key           INTEGER PRIMARY KEY,
    id            BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
    version       INTEGER NOT NULL,
    book          INTEGER NOT NULL REFERENCES books (key),
    club          INTEGER REFERENCES clubs (key), -- NULL: private
    author        INTEGER NOT NULL REFERENCES readers (key),
    thread        BLOB CHECK (length(thread) = 16), -- of a reply: the id of its thread's first note
    progress      INTEGER CHECK (progress BETWEEN 0 AND 1000000), -- the plain share; NULL: the book as a whole
    body          TEXT CHECK (body IS NOT NULL OR reactions = '{}'), -- NULL: deleted
    reactions     TEXT NOT NULL DEFAULT '{}', -- a JSON object: the number of each
    reply_count   INTEGER NOT NULL CHECK (reply_count >= 0), -- of a first note: the replies that are visible to all who see it
    created_at    INTEGER NOT NULL,
    updated_at    INTEGER NOT NULL,
    -- The threshold: a note is visible to readers whose mark in "scale" reaches "at", or whose mark in the book reaches
    -- "share".
    scale         INTEGER,
    at            INTEGER CHECK ((at IS NULL) = (scale IS NULL) AND ifnull(at, 1) > 0),
    share         INTEGER NOT NULL CHECK (share BETWEEN 0 AND 1000000),
    position      TEXT, -- JSON, as it was sent
    opens_at      TEXT, -- JSON: the position to which the threshold was raised
    about         BLOB CHECK (length(about) = 16), -- a meeting or a milestone
    -- The key of the note that a reply answers.
    answers       INTEGER,
    run           BLOB CHECK (length(run) = 16),
    -- The author's name in the note's club; NULL for private and nameless notes.
    author_name   TEXT,
    -- The author has left the club and is no longer named.
    is_nameless   INTEGER NOT NULL DEFAULT 0 CHECK (is_nameless BETWEEN 0 AND 1),
    -- The kind of the note, the quotation in it, and its language.
    kind          TEXT CHECK (kind IN ('thought', 'quote', 'question', 'prediction')), -- NULL: unknown
    quote         TEXT,
    language      TEXT,
    -- The audience of a club's note; NULL: everyone in the club. It may only widen. The other columns contain the
    -- change of the log since which it applies, or NULL from the start. Earlier changes are not sent to new viewers.
    audience      TEXT CHECK (audience IS NULL OR audience = 'moderators' AND club IS NOT NULL),
    to_moderators INTEGER,
    to_club       INTEGER,
    CHECK (author_name IS NULL
        OR is_nameless = 0 AND club IS NOT NULL AND (ifnull(body, '') <> '' OR quote IS NOT NULL))
) STRICT;
-- Sorted by key, like the lists, so a page costs only what it contains, however many notes there are.
CREATE INDEX notes_club ON notes (club);
CREATE INDEX notes_book ON notes (book);
CREATE INDEX notes_author ON notes (author);
CREATE INDEX notes_thread ON notes (thread) WHERE thread IS NOT NULL;
CREATE INDEX notes_answers ON notes (answers) WHERE answers IS NOT NULL;
CREATE INDEX notes_audience ON notes (club) WHERE audience IS NOT NULL;
-- Covering indices for the notes that an entry unlocks.
CREATE INDEX notes_threshold ON notes (club, scale, at, share, book, author, audience) WHERE body IS NOT NULL AND scale IS NOT NULL;
CREATE INDEX notes_share ON notes (club, book, share, scale, at, author, audience) WHERE body IS NOT NULL;

CREATE VIRTUAL TABLE notes_words USING fts5 (body, tokenize = "ascii tokenchars '&'", columnsize = 0);

CREATE TABLE reactions (
    note     INTEGER NOT NULL REFERENCES notes (key),
    reader   INTEGER NOT NULL,
    reaction TEXT NOT NULL,
    PRIMARY KEY (note, reader, reaction)
) STRICT, WITHOUT ROWID;
