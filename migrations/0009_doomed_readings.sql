-- Readings that were deleted while they had entries. These go in slices afterwards, so that nobody waits for all of them: until then
-- they belong to no reading that there is. The row goes with the last of them.
CREATE TABLE doomed_readings (
    reading INTEGER PRIMARY KEY -- the key that the reading had; no other gets it meanwhile
) STRICT;
-- What a table's rows refer to is said in its text alone: https://www.sqlite.org/lang_altertable.html, 7.
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(sql, ' REFERENCES readings (key)', '') WHERE type = 'table' AND name = 'entries';
PRAGMA writable_schema = RESET;
