-- Ids that clients gave to what they made, and of what they made it: so that a retry is known however late it comes, also when
-- what was made is gone. Kept for good.
CREATE TABLE claims (
    id     BLOB NOT NULL CHECK (length(id) = 16),
    kind   INTEGER NOT NULL,
    reader INTEGER NOT NULL REFERENCES readers (key),
    digest BLOB NOT NULL CHECK (length(digest) = 32),
    PRIMARY KEY (id, kind)
) STRICT, WITHOUT ROWID;
