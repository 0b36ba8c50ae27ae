-- Clubs, who is in them, and the notes that are shared in them.

CREATE TABLE clubs (
    key                  INTEGER PRIMARY KEY AUTOINCREMENT,
    id                   BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
    version              INTEGER NOT NULL,
    name                 TEXT NOT NULL,
    description          TEXT,
    visibility           TEXT NOT NULL CHECK (visibility = 'private' OR visibility = 'listed'),
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
    -- The seq from which on the member has been told what only moderators are; NULL for members who are none.
    moderates  INTEGER,
    shares     TEXT NOT NULL CHECK (shares = 'exact' OR shares = 'milestones' OR shares = 'finished' OR shares = 'nothing'),
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
    reactions  TEXT NOT NULL DEFAULT '{}', -- a JSON object: how many of each
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT;
-- In the order of the key, as they are listed: a page costs what it shows, however many there are.
CREATE INDEX notes_club ON notes (club);
CREATE INDEX notes_book ON notes (book);
-- Which notes an entry unlocks is found in it alone.
CREATE INDEX notes_ahead ON notes (club, book, position, author) WHERE body IS NOT NULL;
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
-- The furthest first: whether a reader has been somewhere is known after few of their steps, however many they made.
CREATE INDEX reach_progress ON reach (reader, place, progress DESC, until, since);

CREATE TABLE reactions (
    note     INTEGER NOT NULL REFERENCES notes (key),
    reader   INTEGER NOT NULL,
    reaction TEXT NOT NULL,
    PRIMARY KEY (note, reader, reaction)
) STRICT, WITHOUT ROWID;

-- What a club reads, has read and will read.
CREATE TABLE club_books (
    key        INTEGER PRIMARY KEY,
    id         BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
    version    INTEGER NOT NULL,
    club       INTEGER NOT NULL REFERENCES clubs (key),
    book       INTEGER NOT NULL REFERENCES books (key),
    place      INTEGER NOT NULL,
    state      TEXT NOT NULL CHECK (state = 'planned' OR state = 'current' OR state = 'read'),
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    UNIQUE (club, book)
) STRICT;
CREATE INDEX club_books_book ON club_books (book);
CREATE UNIQUE INDEX club_books_current ON club_books (club) WHERE state = 'current';

CREATE TABLE milestones (
    key        INTEGER PRIMARY KEY,
    id         BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
    version    INTEGER NOT NULL,
    club_book  INTEGER NOT NULL REFERENCES club_books (key),
    name       TEXT,
    position   INTEGER NOT NULL CHECK (position BETWEEN 0 AND 1000000),
    page       INTEGER,
    due_at     INTEGER NOT NULL,
    is_due     INTEGER NOT NULL CHECK (is_due BETWEEN 0 AND 1),
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX milestones_club_book ON milestones (club_book, position);
CREATE INDEX milestones_due ON milestones (due_at) WHERE is_due = 0;

-- What the others see of a member's reading of a club's book: no more than the member shares is ever in it.
CREATE TABLE standings (
    key          INTEGER PRIMARY KEY,
    id           BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
    version      INTEGER NOT NULL,
    club_book    INTEGER NOT NULL REFERENCES club_books (key),
    member       INTEGER NOT NULL REFERENCES members (key),
    reading      BLOB NOT NULL CHECK (length(reading) = 16),
    progress     INTEGER CHECK (progress BETWEEN 0 AND 1000000),
    state        TEXT CHECK (state = 'ahead' OR state = 'onTrack' OR state = 'behind'),
    last_read_at INTEGER,
    finished_at  INTEGER,
    created_at   INTEGER NOT NULL,
    updated_at   INTEGER NOT NULL,
    UNIQUE (club_book, member)
) STRICT;
CREATE INDEX standings_reading ON standings (reading);
CREATE INDEX standings_member ON standings (member);

CREATE TABLE meetings (
    key        INTEGER PRIMARY KEY,
    id         BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
    version    INTEGER NOT NULL,
    club       INTEGER NOT NULL REFERENCES clubs (key),
    title      TEXT,
    starts_at  INTEGER NOT NULL,
    time_zone  TEXT NOT NULL,
    minutes    INTEGER,
    place      TEXT,
    link       TEXT,
    agenda     TEXT,
    book       INTEGER REFERENCES books (key),
    position   INTEGER CHECK (position BETWEEN 0 AND 1000000),
    page       INTEGER,
    has_begun  INTEGER NOT NULL CHECK (has_begun BETWEEN 0 AND 1),
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX meetings_club ON meetings (club, starts_at);
CREATE INDEX meetings_book ON meetings (book) WHERE book IS NOT NULL;
CREATE INDEX meetings_due ON meetings (starts_at) WHERE has_begun = 0;

-- Who comes to a meeting, as they said.
CREATE TABLE attendances (
    key        INTEGER PRIMARY KEY,
    id         BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
    version    INTEGER NOT NULL,
    meeting    INTEGER NOT NULL REFERENCES meetings (key),
    member     INTEGER NOT NULL REFERENCES members (key),
    answer     TEXT NOT NULL CHECK (answer = 'yes' OR answer = 'no' OR answer = 'maybe'),
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    UNIQUE (meeting, member)
) STRICT;
CREATE INDEX attendances_member ON attendances (member);

-- The secret addresses of a club's calendar: a member's own, and gone with the membership.
CREATE TABLE calendars (
    key        INTEGER PRIMARY KEY,
    id         BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
    version    INTEGER NOT NULL,
    member     INTEGER NOT NULL REFERENCES members (key),
    digest     BLOB NOT NULL UNIQUE CHECK (length(digest) = 32),
    created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX calendars_member ON calendars (member);

-- What everyone may know of a club that is listed.
CREATE TABLE listings (
    key         INTEGER PRIMARY KEY, -- the club's
    id          BLOB NOT NULL UNIQUE CHECK (length(id) = 16), -- the club's
    version     INTEGER NOT NULL,
    name        TEXT NOT NULL,
    description TEXT,
    created_at  INTEGER NOT NULL,
    updated_at  INTEGER NOT NULL
) STRICT;

CREATE TABLE join_requests (
    key        INTEGER PRIMARY KEY,
    id         BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
    version    INTEGER NOT NULL,
    club       INTEGER NOT NULL REFERENCES clubs (key),
    reader     INTEGER NOT NULL REFERENCES readers (key),
    name       TEXT NOT NULL,
    message    TEXT,
    state      TEXT NOT NULL CHECK (state = 'waiting' OR state = 'accepted' OR state = 'declined'),
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX join_requests_reader ON join_requests (reader);
CREATE INDEX join_requests_club ON join_requests (club, state);
CREATE UNIQUE INDEX join_requests_waiting ON join_requests (reader, club) WHERE state = 'waiting';
