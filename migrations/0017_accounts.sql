-- How readers come in: by a name and a password, by an identity that another house vouches for, and by links that let them
-- choose these.

CREATE TABLE accounts (
    reader      INTEGER PRIMARY KEY REFERENCES readers (key),
    name        TEXT NOT NULL,        -- as it was chosen
    folded      TEXT NOT NULL UNIQUE, -- as it is looked for
    password    TEXT,                 -- as crypt(3) has it; NULL: none
    password_at INTEGER               -- since when it is that one
) STRICT;

CREATE TABLE identities (
    issuer     TEXT NOT NULL,
    subject    TEXT NOT NULL,
    reader     INTEGER NOT NULL REFERENCES readers (key),
    created_at INTEGER NOT NULL,
    PRIMARY KEY (issuer, subject)
) STRICT, WITHOUT ROWID;
CREATE INDEX identities_reader ON identities (reader);

CREATE TABLE links (
    key        INTEGER PRIMARY KEY,
    id         BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
    version    INTEGER NOT NULL,
    kind       TEXT NOT NULL CHECK (kind = 'invitation' OR kind = 'reset'),
    reader     INTEGER REFERENCES readers (key), -- of a reset: whose password it is
    club       INTEGER REFERENCES clubs (key),   -- of an invitation: the club that one comes to with it
    maker      INTEGER NOT NULL REFERENCES readers (key),
    digest     BLOB NOT NULL UNIQUE CHECK (length(digest) = 32),
    expires_at INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    CHECK ((reader IS NOT NULL) = (kind = 'reset') AND (club IS NULL OR kind = 'invitation'))
) STRICT;
CREATE INDEX links_maker ON links (maker);
CREATE INDEX links_reader ON links (reader) WHERE reader IS NOT NULL;
CREATE INDEX links_club ON links (club) WHERE club IS NOT NULL;

-- A session is a token that a sign-in made.
ALTER TABLE tokens ADD COLUMN is_session INTEGER NOT NULL DEFAULT 0;
