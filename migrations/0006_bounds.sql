-- What a list of books is filtered by lies beside what it is sorted by: a walk in the list's order that finds nothing looks at
-- the index alone. A language that few books have is found by an index of its own.
DROP INDEX books_sort_title;
CREATE INDEX books_sort_title ON books (sort_title, key, language, published_year);
-- Unknown years come before all others.
DROP INDEX books_published_year;
CREATE INDEX books_published_year ON books (ifnull(published_year, -100000), key, language, published_year);
DROP INDEX books_updated_at;
CREATE INDEX books_updated_at ON books (updated_at, key, language, published_year);
CREATE INDEX books_language ON books (lower(language) || '-');

-- The words of a note are found in one place only, their author's or their club's: each is kept once for each place, with the
-- place's name before it. They are made anew as after a change of the fold.
DELETE FROM meta WHERE name = 'fold';
