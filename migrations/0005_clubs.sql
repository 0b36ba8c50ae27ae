-- Clubs, their members, runs and meetings.

CREATE TABLE clubs (
    key                            INTEGER PRIMARY KEY AUTOINCREMENT,
    id                             BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
    version                        INTEGER NOT NULL,
    name                           TEXT NOT NULL,
    description                    TEXT,
    visibility                     TEXT NOT NULL CHECK (visibility = 'private' OR visibility = 'listed'),
    moderators_see_ahead           INTEGER NOT NULL CHECK (moderators_see_ahead BETWEEN 0 AND 1),
    counts_ahead                   INTEGER NOT NULL CHECK (counts_ahead BETWEEN 0 AND 1),
    is_archived                    INTEGER NOT NULL CHECK (is_archived BETWEEN 0 AND 1),
    created_at                     INTEGER NOT NULL,
    updated_at                     INTEGER NOT NULL,
    -- How much later than its position a note becomes visible in other scales, in millionths; NULL: 50000.
    slack                          INTEGER CHECK (slack BETWEEN 0 AND 1000000),
    -- The sharing of new members who join by themselves and choose nothing else; everyone sees it for a listed club.
    -- NULL: as in their own settings, with nothing separate for moderators.
    default_shares                 TEXT
        CHECK (default_shares = 'exact' OR default_shares = 'milestones' OR default_shares = 'finished'
        OR default_shares = 'nothing'),
    default_shares_with_moderators TEXT
        CHECK (default_shares_with_moderators = 'exact' OR default_shares_with_moderators = 'milestones'
        OR default_shares_with_moderators = 'finished' OR default_shares_with_moderators = 'nothing')
) STRICT;

-- The key is the seq of the change that created the row. The member does not receive earlier changes of the club.
CREATE TABLE members (
    key                    INTEGER PRIMARY KEY,
    id                     BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
    version                INTEGER NOT NULL,
    -- Deferred, because the founder's row comes before the club's, so that the founder receives the club's creation.
    club                   INTEGER NOT NULL REFERENCES clubs (key) DEFERRABLE INITIALLY DEFERRED,
    reader                 INTEGER NOT NULL REFERENCES readers (key),
    name                   TEXT NOT NULL,
    role                   TEXT NOT NULL CHECK (role = 'owner' OR role = 'moderator' OR role = 'member'),
    -- The seq from which the member receives changes for moderators; NULL for other members.
    moderates              INTEGER,
    -- The seq of the change by which the member's moderation last began or ended; NULL: never.
    role_since             INTEGER,
    shares                 TEXT NOT NULL
        CHECK (shares = 'exact' OR shares = 'milestones' OR shares = 'finished' OR shares = 'nothing'),
    created_at             INTEGER NOT NULL,
    updated_at             INTEGER NOT NULL,
    -- The sharing with moderators, if it is more than with the club. NULL: the same as with the club.
    shares_with_moderators TEXT
        CHECK (shares_with_moderators = 'exact' OR shares_with_moderators = 'milestones'
        OR shares_with_moderators = 'finished' OR shares_with_moderators = 'nothing'),
    UNIQUE (reader, club)
) STRICT;
CREATE INDEX members_club ON members (club);

-- The names that former members had in the club. Their notes keep these names, because a later name does not concern
-- the club.
CREATE TABLE former_members (
    club   INTEGER NOT NULL REFERENCES clubs (key),
    reader INTEGER NOT NULL REFERENCES readers (key),
    name   TEXT NOT NULL,
    PRIMARY KEY (club, reader)
) STRICT, WITHOUT ROWID;

-- Readers who were removed. No code lets them join again, only the club's moderators do. Banned readers cannot even
-- ask.
CREATE TABLE removals (
    key        INTEGER PRIMARY KEY,
    id         BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
    version    INTEGER NOT NULL,
    club       INTEGER NOT NULL REFERENCES clubs (key),
    reader     INTEGER NOT NULL REFERENCES readers (key),
    name       TEXT NOT NULL,
    is_banned  INTEGER NOT NULL CHECK (is_banned BETWEEN 0 AND 1),
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    UNIQUE (club, reader)
) STRICT;

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
-- For deleting the invitations of a maker who may no longer create them.
CREATE INDEX invitations_maker ON invitations (maker, club);

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

-- The part of listed clubs that everyone may see.
CREATE TABLE listings (
    key                            INTEGER PRIMARY KEY, -- the club's
    id                             BLOB NOT NULL UNIQUE CHECK (length(id) = 16), -- the club's
    version                        INTEGER NOT NULL,
    name                           TEXT NOT NULL,
    description                    TEXT,
    created_at                     INTEGER NOT NULL,
    updated_at                     INTEGER NOT NULL,
    default_shares                 TEXT,
    default_shares_with_moderators TEXT
) STRICT;

-- The runs of books that a club reads, has read, will read or may read. Reading a book again is another run.
CREATE TABLE runs (
    key        INTEGER PRIMARY KEY,
    id         BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
    version    INTEGER NOT NULL,
    club       INTEGER NOT NULL REFERENCES clubs (key),
    book       INTEGER NOT NULL REFERENCES books (key),
    title      TEXT NOT NULL, -- the book's
    place      INTEGER NOT NULL,
    state      TEXT NOT NULL
        CHECK (state = 'planned' OR state = 'current' OR state = 'read' OR state = 'proposed' OR state = 'dropped'),
    starts_at  INTEGER,
    ends_at    INTEGER CHECK (ends_at >= starts_at),
    edition    BLOB CHECK (length(edition) = 16), -- not a foreign key, as in readings
    proposer   INTEGER REFERENCES readers (key), -- NULL: it was not proposed
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX runs_book ON runs (book);
CREATE INDEX runs_club ON runs (club, book);
CREATE INDEX runs_current ON runs (club) WHERE state = 'current';
CREATE INDEX runs_edition ON runs (edition) WHERE edition IS NOT NULL;

CREATE TABLE milestones (
    key        INTEGER PRIMARY KEY,
    id         BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
    version    INTEGER NOT NULL,
    run        INTEGER NOT NULL REFERENCES runs (key),
    name       TEXT,
    progress   INTEGER NOT NULL CHECK (progress BETWEEN 0 AND 1000000),
    page       INTEGER,
    due_at     INTEGER NOT NULL,
    is_due     INTEGER NOT NULL CHECK (is_due BETWEEN 0 AND 1),
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    position   TEXT -- JSON, as it was sent
) STRICT;
CREATE INDEX milestones_run ON milestones (run, progress);
CREATE INDEX milestones_due ON milestones (due_at) WHERE is_due = 0;

-- The progress of members in runs, as far as they share it: a row never contains more than that.
CREATE TABLE standings (
    key          INTEGER PRIMARY KEY,
    id           BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
    version      INTEGER NOT NULL,
    run          INTEGER NOT NULL REFERENCES runs (key),
    member       INTEGER NOT NULL REFERENCES members (key),
    name         TEXT NOT NULL, -- the member's
    reading      BLOB NOT NULL CHECK (length(reading) = 16),
    progress     INTEGER CHECK (progress BETWEEN 0 AND 1000000),
    state        TEXT CHECK (state = 'ahead' OR state = 'onTrack' OR state = 'behind'),
    last_read_at INTEGER,
    finished_at  INTEGER,
    created_at   INTEGER NOT NULL,
    updated_at   INTEGER NOT NULL,
    UNIQUE (member, run)
) STRICT;
CREATE INDEX standings_reading ON standings (reading);
CREATE INDEX standings_run ON standings (run);

-- The versions of the same standings for moderators, under the same ids, for members who have ever shared with
-- moderators separately.
CREATE TABLE moderator_standings (
    key          INTEGER PRIMARY KEY,
    id           BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
    version      INTEGER NOT NULL,
    run          INTEGER NOT NULL REFERENCES runs (key),
    member       INTEGER NOT NULL REFERENCES members (key),
    name         TEXT NOT NULL, -- the member's
    reading      BLOB NOT NULL CHECK (length(reading) = 16),
    progress     INTEGER CHECK (progress BETWEEN 0 AND 1000000),
    state        TEXT CHECK (state = 'ahead' OR state = 'onTrack' OR state = 'behind'),
    last_read_at INTEGER,
    finished_at  INTEGER,
    created_at   INTEGER NOT NULL,
    updated_at   INTEGER NOT NULL,
    UNIQUE (member, run)
) STRICT;
CREATE INDEX moderator_standings_run ON moderator_standings (run);

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
    book_title TEXT,
    progress   INTEGER CHECK (progress BETWEEN 0 AND 1000000),
    page       INTEGER,
    has_begun  INTEGER NOT NULL CHECK (has_begun BETWEEN 0 AND 1),
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    position   TEXT, -- JSON, as it was sent
    run        BLOB CHECK (length(run) = 16) -- the id, which stays when the run is deleted
) STRICT;
CREATE INDEX meetings_club ON meetings (club, starts_at);
CREATE INDEX meetings_book ON meetings (book) WHERE book IS NOT NULL;
CREATE INDEX meetings_due ON meetings (starts_at) WHERE has_begun = 0;

-- The members' answers to meetings.
CREATE TABLE attendances (
    key        INTEGER PRIMARY KEY,
    id         BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
    version    INTEGER NOT NULL,
    meeting    INTEGER NOT NULL REFERENCES meetings (key),
    member     INTEGER NOT NULL REFERENCES members (key),
    name       TEXT NOT NULL, -- the member's
    answer     TEXT NOT NULL CHECK (answer = 'yes' OR answer = 'no' OR answer = 'maybe'),
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    UNIQUE (member, meeting)
) STRICT;
CREATE INDEX attendances_meeting ON attendances (meeting);

-- Changes to many rows, which are written slice by slice: new titles of books and names of readers in the rows that
-- show them, and changes to all notes of a reader in clubs.
CREATE TABLE bulk_changes (
    subject INTEGER NOT NULL, -- the key of the book (title) or of the reader
    club    INTEGER NOT NULL, -- the club of the notes; 0: all clubs
    kind    TEXT NOT NULL CHECK (kind IN ('title', 'name', 'noteName', 'nameless', 'delete')),
    place   INTEGER NOT NULL, -- the key of the last note that was visited
    until   INTEGER NOT NULL, -- the key from which notes are left out, because they are newer
    PRIMARY KEY (subject, club, kind)
) STRICT, WITHOUT ROWID;

-- The secret addresses of a club's calendar. Each belongs to a member and is deleted with the membership.
CREATE TABLE calendars (
    key        INTEGER PRIMARY KEY,
    id         BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
    version    INTEGER NOT NULL,
    member     INTEGER NOT NULL REFERENCES members (key),
    digest     BLOB NOT NULL UNIQUE CHECK (length(digest) = 32),
    created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX calendars_member ON calendars (member);
