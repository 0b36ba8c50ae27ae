-- Who goes from a club, and how.

-- Those who were taken out: no code lets them in again, only the club's moderators do. Who is banned cannot even ask.
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

-- What those who went were called in the club. Under that name their notes stay there; what they are called since is no
-- longer the club's business.
CREATE TABLE former_members (
    club   INTEGER NOT NULL REFERENCES clubs (key),
    reader INTEGER NOT NULL REFERENCES readers (key),
    name   TEXT NOT NULL,
    PRIMARY KEY (club, reader)
) STRICT, WITHOUT ROWID;

-- An invitation ends with its maker's right to make it.
CREATE INDEX invitations_maker ON invitations (maker, club);
DELETE FROM invitations WHERE NOT EXISTS (
    SELECT 1 FROM members
    WHERE members.reader = invitations.maker AND members.club = invitations.club AND members.role <> 'member');
