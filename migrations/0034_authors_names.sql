-- What the author of a club's note is called there, beside the note; NULL of private notes, of those that were written before it
-- was kept, and of nobody's.
ALTER TABLE notes ADD COLUMN author_name TEXT;
-- Whoever wrote it went from the club and is not named as its author any more.
ALTER TABLE notes ADD COLUMN is_nameless INTEGER NOT NULL DEFAULT 0 CHECK (is_nameless BETWEEN 0 AND 1);

-- What is to be done to many notes of one reader, slice by slice.
CREATE TABLE note_chores (
    reader INTEGER NOT NULL REFERENCES readers (key),
    club   INTEGER NOT NULL, -- whose notes are meant; 0: all clubs'
    chore  TEXT NOT NULL CHECK (chore IN ('name', 'nameless', 'delete')),
    place  INTEGER NOT NULL, -- the key of the last note that was looked at
    until  INTEGER NOT NULL, -- notes with this key and greater ones are not meant: they were written since
    PRIMARY KEY (reader, club, chore)
) STRICT, WITHOUT ROWID;
