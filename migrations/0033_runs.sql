-- A book of a club's becomes a run of it, with the key and the id that it had: a book can be read again, several can be current, and
-- members propose some.
--
-- Rows keep their run's key: they are put aside while the table is made anew, for two of its constraints go.
CREATE TABLE kept_runs AS SELECT * FROM club_books;
CREATE TABLE kept_milestones AS SELECT * FROM milestones;
CREATE TABLE kept_standings AS SELECT * FROM standings;
DELETE FROM standings;
DELETE FROM milestones;
DROP TABLE club_books;

CREATE TABLE club_books (
    key        INTEGER PRIMARY KEY,
    id         BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
    version    INTEGER NOT NULL,
    club       INTEGER NOT NULL REFERENCES clubs (key),
    book       INTEGER NOT NULL REFERENCES books (key),
    place      INTEGER NOT NULL,
    state      TEXT NOT NULL
        CHECK (state = 'planned' OR state = 'current' OR state = 'read' OR state = 'proposed' OR state = 'dropped'),
    -- Whether what is on the book, in the club, and names no run is of this one: of no other, then.
    is_first   INTEGER NOT NULL CHECK (is_first BETWEEN 0 AND 1),
    starts_at  INTEGER,
    ends_at    INTEGER CHECK (ends_at >= starts_at),
    edition    BLOB CHECK (length(edition) = 16), -- not a key, as of readings
    proposer   INTEGER REFERENCES readers (key), -- NULL: nobody had to
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX club_books_book ON club_books (book);
CREATE INDEX club_books_club ON club_books (club, book);
CREATE INDEX club_books_current ON club_books (club) WHERE state = 'current';
CREATE INDEX club_books_edition ON club_books (edition) WHERE edition IS NOT NULL;

INSERT INTO club_books (key, id, version, club, book, place, state, is_first, created_at, updated_at)
    SELECT key, id, version, club, book, place, state, 1, created_at, updated_at FROM kept_runs;
INSERT INTO milestones SELECT * FROM kept_milestones;
INSERT INTO standings SELECT * FROM kept_standings;
DROP TABLE kept_runs;
DROP TABLE kept_milestones;
DROP TABLE kept_standings;

-- The run by its id, as it is sent; NULL of what is there: that is of the first run of its book.
ALTER TABLE milestones ADD COLUMN run BLOB CHECK (length(run) = 16);
ALTER TABLE standings ADD COLUMN run BLOB CHECK (length(run) = 16);
ALTER TABLE meetings ADD COLUMN run BLOB CHECK (length(run) = 16);
ALTER TABLE notes ADD COLUMN run BLOB CHECK (length(run) = 16);
