-- For whom a note of a club is: NULL is everybody in it. Each may become for more readers, never for fewer. Since which change of the
-- log it is so: NULL from the start; what was told before is not told those for whom it was not.
ALTER TABLE notes ADD COLUMN audience TEXT CHECK (audience = 'moderators');
ALTER TABLE notes ADD COLUMN to_moderators INTEGER;
ALTER TABLE notes ADD COLUMN to_club INTEGER;
CREATE INDEX notes_audience ON notes (club) WHERE audience IS NOT NULL;

-- They hold all that is asked of a note ahead.
DROP INDEX notes_ahead;
DROP INDEX notes_opening;
CREATE INDEX notes_ahead ON notes (club, frame, frame_at, opens_at, book, author, audience) WHERE body IS NOT NULL;
CREATE INDEX notes_opening ON notes (club, book, opens_at, frame, frame_at, author, audience) WHERE body IS NOT NULL;
