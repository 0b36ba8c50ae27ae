-- Search as people type. Words are folded before they come here, so the tokenizer has nothing left to decide; what is asked
-- may be the beginning of each word, and scalars of scripts without spaces are looked for as they follow each other.
--
-- With the words goes the language, as a word that no text has: a common word in a rare language is found by both.
--
-- The rows of books_words lie in the order in which books are looked at, those that most readers have first: a row's number is the
-- book's key, and above its 40 bits how few readers have it (see ReaderClass).
DROP TABLE books_words;
CREATE VIRTUAL TABLE books_words USING fts5 (
    title, authors, language, tokenize = "ascii tokenchars '&=-'", columnsize = 0, prefix = '1 2 3 4'
);
DROP TABLE notes_words;
CREATE VIRTUAL TABLE notes_words USING fts5 (body, tokenize = "ascii tokenchars '&'", columnsize = 0);

-- How many readers have a reading of the book.
ALTER TABLE books ADD COLUMN reader_count INTEGER NOT NULL DEFAULT 0;
UPDATE books SET reader_count = (SELECT count(DISTINCT reader) FROM readings WHERE book = books.key)
WHERE key IN (SELECT book FROM readings);

DELETE FROM meta WHERE name = 'fold';
