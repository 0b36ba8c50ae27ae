-- Notes of which it is not told where they open: it may be as far as their authors know the book.
ALTER TABLE notes ADD COLUMN is_reticent INTEGER NOT NULL DEFAULT 0 CHECK (is_reticent BETWEEN 0 AND 1);
