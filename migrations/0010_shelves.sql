-- Readers' lists of books.

CREATE TABLE shelves (
    key        INTEGER PRIMARY KEY,
    id         BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
    version    INTEGER NOT NULL,
    reader     INTEGER NOT NULL REFERENCES readers (key),
    name       TEXT NOT NULL,
    club       INTEGER REFERENCES clubs (key), -- whose members see it; NULL: nobody else
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX shelves_reader ON shelves (reader);
CREATE INDEX shelves_club ON shelves (club) WHERE club IS NOT NULL;

CREATE TABLE shelf_books (
    key        INTEGER PRIMARY KEY,
    id         BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
    version    INTEGER NOT NULL,
    shelf      INTEGER NOT NULL REFERENCES shelves (key),
    book       INTEGER NOT NULL REFERENCES books (key),
    place      INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    UNIQUE (shelf, book)
) STRICT;
CREATE INDEX shelf_books_place ON shelf_books (shelf, place);
CREATE INDEX shelf_books_book ON shelf_books (book);

-- What each reader has from the start, under the reader's own id: it is no change that it is there, so its version is 0.
CREATE TRIGGER readers_want_to_read AFTER INSERT ON readers BEGIN
    INSERT INTO shelves (id, version, reader, name, created_at, updated_at)
    VALUES (NEW.id, 0, NEW.key, 'Want to read', NEW.created_at, NEW.updated_at);
END;
INSERT INTO shelves (id, version, reader, name, created_at, updated_at)
SELECT id, 0, key, 'Want to read', created_at, updated_at FROM readers;
