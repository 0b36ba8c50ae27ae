-- Reading and knowing are two things: how much of a book its reader knows already, which is no reading; and when readings began,
-- and were finished, by what their readers say.

CREATE TABLE knowledge (
    key        INTEGER PRIMARY KEY,
    id         BLOB NOT NULL UNIQUE CHECK (length(id) = 16), -- follows from the reader and the book
    version    INTEGER NOT NULL,
    reader     INTEGER NOT NULL REFERENCES readers (key),
    book       INTEGER NOT NULL REFERENCES books (key),
    through    TEXT, -- JSON: as far as where; NULL: all of it
    -- What that meant when it was said: see entries.
    progress   INTEGER NOT NULL CHECK (progress BETWEEN 0 AND 1000000),
    frame      INTEGER,
    floor      INTEGER CHECK (floor BETWEEN 0 AND 1000000),
    ceiling    INTEGER CHECK (ceiling BETWEEN 0 AND 1000000), -- where that chapter ends; NULL: no chapters were known
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    UNIQUE (reader, book)
) STRICT;
CREATE INDEX knowledge_book ON knowledge (book);
CREATE INDEX knowledge_frame ON knowledge (frame) WHERE frame IS NOT NULL;

-- NULL: nobody said it.
ALTER TABLE readings ADD COLUMN started_at INTEGER;

-- Where notes open of those who know the book; NULL: where they speak of.
ALTER TABLE clubs ADD COLUMN hindsight TEXT CHECK (hindsight IN ('place', 'known'));
