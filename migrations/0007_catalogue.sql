-- Whose the catalogue is, and what of it a reading keeps.

-- The reader who added a book; NULL for the house: for what was there before, and what its librarians bring.
ALTER TABLE books ADD COLUMN added_by INTEGER REFERENCES readers (key);

-- Of a reader who is no administrator. (A third role would need the table made anew, and half of the schema refers to it.)
ALTER TABLE readers ADD COLUMN is_librarian INTEGER NOT NULL DEFAULT 0 CHECK (is_librarian BETWEEN 0 AND 1);

-- The pages of the edition that is read: those that the book had when the reading began, unless its reader says otherwise.
ALTER TABLE readings ADD COLUMN page_count INTEGER CHECK (page_count BETWEEN 1 AND 100000);
UPDATE readings SET page_count = (SELECT page_count FROM books WHERE books.key = readings.book);

-- Readings look otherwise from here on, and so do invitations, whose codes were in the log: no tag and no cursor from before
-- stands for them, and nothing of the log from before is told. Its last row stays, so that no number is given twice.
DELETE FROM meta WHERE name = 'epoch';
DELETE FROM changes WHERE seq < (SELECT max(seq) FROM changes);
UPDATE changes SET
    value = json_set(value, '$.pageCount', (SELECT page_count FROM readings WHERE id = resource)),
    before = json_set(before, '$.pageCount', NULL)
WHERE kind = 4;
UPDATE changes SET
    value = json_remove(json_set(value, '$.maker', (
        SELECT lower(printf('%s-%s-%s-%s-%s', substr(hex(readers.id), 1, 8), substr(hex(readers.id), 9, 4),
            substr(hex(readers.id), 13, 4), substr(hex(readers.id), 17, 4), substr(hex(readers.id), 21)))
        FROM invitations JOIN readers ON readers.key = invitations.maker WHERE invitations.id = resource)), '$.code'),
    before = json_remove(before, '$.code')
WHERE kind = 10;
UPDATE idempotency_keys SET value = json_remove(value, '$.code') WHERE kind = 10;
