-- Readers who left. Each keeps a row without a name, for what they wrote in clubs keeps its place there.
ALTER TABLE readers ADD COLUMN has_left INTEGER NOT NULL DEFAULT 0 CHECK (has_left BETWEEN 0 AND 1);

-- Those whose things are on their way out, in slices: how far that has come.
CREATE TABLE departures (
    reader   INTEGER PRIMARY KEY REFERENCES readers (key),
    stage    INTEGER NOT NULL CHECK (stage BETWEEN 0 AND 5),
    place    INTEGER NOT NULL, -- within the stage
    began_at INTEGER NOT NULL
) STRICT;
