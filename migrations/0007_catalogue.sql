-- Whose the catalogue is, and what of it a reading keeps.

-- The reader who added a book; NULL for the house: for what was there before, and what its librarians bring.
ALTER TABLE books ADD COLUMN added_by INTEGER REFERENCES readers (key);

-- Of a reader who is no administrator. (A third role would need the table made anew, and half of the schema refers to it.)
ALTER TABLE readers ADD COLUMN is_librarian INTEGER NOT NULL DEFAULT 0 CHECK (is_librarian BETWEEN 0 AND 1);

-- The pages of the edition that is read: those that the book had when the reading began, unless its reader says otherwise.
ALTER TABLE readings ADD COLUMN page_count INTEGER CHECK (page_count BETWEEN 1 AND 100000);
UPDATE readings SET page_count = (SELECT page_count FROM books WHERE books.key = readings.book);

-- Readings look otherwise from here on, and so do invitations: no tag and no cursor from before stands for them.
DELETE FROM meta WHERE name = 'epoch';
