-- Words of titles and authors, folded, for what may be suggested to those who mistype them: each under its parts (see WordParts).
CREATE TABLE words (
    part INTEGER NOT NULL,
    word TEXT NOT NULL,
    PRIMARY KEY (part, word)
) STRICT, WITHOUT ROWID;

-- The words of books that are there come with their search words.
DELETE FROM books_words;
DELETE FROM meta WHERE name = 'fold';
