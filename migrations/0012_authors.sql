-- By what books are sorted by their authors. It and what titles are sorted by, which became another, are made at the next start.
ALTER TABLE books ADD COLUMN sort_author TEXT NOT NULL DEFAULT '';
CREATE INDEX books_sort_author ON books (sort_author, key, language, published_year);

DELETE FROM meta WHERE name = 'fold';
