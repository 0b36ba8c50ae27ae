-- Blocks and reports.

-- Readers whose notes are hidden from another reader.
CREATE TABLE blocks (
    key        INTEGER PRIMARY KEY,
    id         BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
    version    INTEGER NOT NULL,
    owner      INTEGER NOT NULL REFERENCES readers (key), -- the reader who blocks
    blocked    INTEGER NOT NULL REFERENCES readers (key),
    name       TEXT NOT NULL, -- the blocked reader's name at that time
    created_at INTEGER NOT NULL,
    UNIQUE (owner, blocked)
) STRICT;
CREATE INDEX blocks_blocked ON blocks (blocked);

-- The authors whose notes are hidden from a member in a club, from the change "since" until before the change "until".
-- There is a row for each blocked reader in each club that the blocking reader does not moderate.
CREATE TABLE hidden_authors (
    reader INTEGER NOT NULL,
    club   INTEGER NOT NULL,
    author INTEGER NOT NULL,
    since  INTEGER NOT NULL,
    until  INTEGER NOT NULL,
    PRIMARY KEY (reader, club, author, since)
) STRICT, WITHOUT ROWID;
-- For the readers from whom an author is hidden, which each change of a note needs.
CREATE INDEX hidden_authors_author ON hidden_authors (author, club);

-- Reports to moderators and administrators.
CREATE TABLE reports (
    key        INTEGER PRIMARY KEY,
    id         BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
    version    INTEGER NOT NULL,
    reporter   INTEGER NOT NULL REFERENCES readers (key),
    about      TEXT NOT NULL CHECK (about IN ('note', 'club', 'reader', 'shelf')),
    subject    BLOB NOT NULL CHECK (length(subject) = 16),
    author     BLOB CHECK (length(author) = 16), -- the author of the subject; NULL: a club
    club       BLOB CHECK (length(club) = 16), -- the club whose moderators also decide; NULL: only administrators
    reason     TEXT NOT NULL,
    text       TEXT,
    copy       TEXT, -- the subject's words at that time; NULL: its author has left
    outcome    TEXT, -- NULL: open
    remark     TEXT,
    decider    INTEGER, -- the key of the reader who closed it
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX reports_reporter ON reports (reporter, subject);
CREATE INDEX reports_author ON reports (author);
CREATE INDEX reports_club ON reports (club);
CREATE INDEX reports_decider ON reports (decider) WHERE decider IS NOT NULL;
CREATE INDEX reports_open ON reports (key) WHERE outcome IS NULL;
