-- Blocks and reports.

-- Readers whose notes another reader does not see.
CREATE TABLE blocks (
    key        INTEGER PRIMARY KEY,
    id         BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
    version    INTEGER NOT NULL,
    owner      INTEGER NOT NULL REFERENCES readers (key), -- who blocks
    blocked    INTEGER NOT NULL REFERENCES readers (key),
    name       TEXT NOT NULL, -- what they were called then
    created_at INTEGER NOT NULL,
    UNIQUE (owner, blocked)
) STRICT;
CREATE INDEX blocks_blocked ON blocks (blocked);

-- Whose words a member is not shown in a club: from the change "since" on, and before the change "until". One for each that a
-- reader blocks in each club that they are in and do not moderate.
CREATE TABLE hidings (
    reader INTEGER NOT NULL,
    club   INTEGER NOT NULL,
    author INTEGER NOT NULL,
    since  INTEGER NOT NULL,
    until  INTEGER NOT NULL,
    PRIMARY KEY (reader, club, author, since)
) STRICT, WITHOUT ROWID;
-- From whom an author is hidden is asked at each change of a note.
CREATE INDEX hidings_author ON hidings (author, club);

-- Reports to moderators and administrators.
CREATE TABLE reports (
    key        INTEGER PRIMARY KEY,
    id         BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
    version    INTEGER NOT NULL,
    reporter   INTEGER NOT NULL REFERENCES readers (key),
    about      TEXT NOT NULL CHECK (about IN ('note', 'club', 'reader', 'shelf')),
    subject    BLOB NOT NULL CHECK (length(subject) = 16),
    author     BLOB CHECK (length(author) = 16), -- whose it is; NULL: a club's
    club       BLOB CHECK (length(club) = 16), -- whose moderators it is for, too; NULL: for administrators alone
    reason     TEXT NOT NULL,
    text       TEXT,
    copy       TEXT, -- what the reported said then; NULL: who wrote it left
    outcome    TEXT, -- NULL: open
    remark     TEXT,
    decider    INTEGER, -- who closed it
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX reports_reporter ON reports (reporter, subject);
CREATE INDEX reports_author ON reports (author);
CREATE INDEX reports_club ON reports (club);
CREATE INDEX reports_decider ON reports (decider) WHERE decider IS NOT NULL;
CREATE INDEX reports_open ON reports (key) WHERE outcome IS NULL;
