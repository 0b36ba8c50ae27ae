-- What a note is, what it cites, and in which language that is.
ALTER TABLE notes ADD COLUMN kind TEXT CHECK (kind IN ('thought', 'quote', 'question', 'prediction')); -- NULL: nobody has said it
ALTER TABLE notes ADD COLUMN quote TEXT;
ALTER TABLE notes ADD COLUMN language TEXT;

-- A note that was made with an entry, or of its text: its words are only there. What an entry says itself stays in its row.
ALTER TABLE entries ADD COLUMN note_id BLOB CHECK (note_id IS NULL OR length(note_id) = 16 AND note IS NULL);
-- Its version once its note has become another, or went; NULL: its key.
ALTER TABLE entries ADD COLUMN changed INTEGER CHECK (changed > key);
CREATE INDEX entries_note ON entries (note_id) WHERE note_id IS NOT NULL;

-- A list reads only this of what its client knows in its version.
DROP INDEX entries_reading;
CREATE INDEX entries_reading ON entries (reading, happened_at, key, changed);
