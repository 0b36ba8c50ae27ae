-- A member shares with a club, and apart from that with those who moderate it: a standing for each of the two. NULL: nothing apart.
ALTER TABLE members ADD COLUMN shares_with_moderators TEXT CHECK (
    shares_with_moderators = 'exact' OR shares_with_moderators = 'milestones' OR shares_with_moderators = 'finished'
    OR shares_with_moderators = 'nothing');

-- What those share who come to a club by themselves, unless they say otherwise; everyone sees it of a club that is listed. NULL: what
-- they share by their own settings, and nothing apart.
ALTER TABLE clubs ADD COLUMN default_shares TEXT CHECK (
    default_shares = 'exact' OR default_shares = 'milestones' OR default_shares = 'finished' OR default_shares = 'nothing');
ALTER TABLE clubs ADD COLUMN default_shares_with_moderators TEXT CHECK (
    default_shares_with_moderators = 'exact' OR default_shares_with_moderators = 'milestones'
    OR default_shares_with_moderators = 'finished' OR default_shares_with_moderators = 'nothing');
ALTER TABLE listings ADD COLUMN default_shares TEXT;
ALTER TABLE listings ADD COLUMN default_shares_with_moderators TEXT;

-- Rows are put aside while the table is made anew, for one of its constraints becomes another.
CREATE TABLE kept_standings AS SELECT * FROM standings;
DROP TABLE standings;
CREATE TABLE standings (
    key          INTEGER PRIMARY KEY,
    id           BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
    version      INTEGER NOT NULL,
    club_book    INTEGER NOT NULL REFERENCES club_books (key),
    member       INTEGER NOT NULL REFERENCES members (key),
    audience     TEXT NOT NULL CHECK (audience = 'club' OR audience = 'moderators'),
    reading      BLOB NOT NULL CHECK (length(reading) = 16),
    progress     INTEGER CHECK (progress BETWEEN 0 AND 1000000),
    state        TEXT CHECK (state = 'ahead' OR state = 'onTrack' OR state = 'behind'),
    last_read_at INTEGER,
    finished_at  INTEGER,
    created_at   INTEGER NOT NULL,
    updated_at   INTEGER NOT NULL,
    run          BLOB CHECK (length(run) = 16),
    UNIQUE (club_book, member, audience)
) STRICT;
CREATE INDEX standings_reading ON standings (reading);
CREATE INDEX standings_member ON standings (member);
INSERT INTO standings (key, id, version, club_book, member, audience, reading, progress, state, last_read_at, finished_at,
        created_at, updated_at, run)
    SELECT key, id, version, club_book, member, 'club', reading, progress, state, last_read_at, finished_at,
        created_at, updated_at, run FROM kept_standings;
DROP TABLE kept_standings;
