-- Who is somebody's ward, and whose: a ward is made as one, and its guardian is nobody's.
CREATE TABLE guardianships (
    reader   INTEGER PRIMARY KEY REFERENCES readers (key),
    guardian INTEGER NOT NULL REFERENCES readers (key)
) STRICT;
CREATE INDEX guardianships_guardian ON guardianships (guardian);
