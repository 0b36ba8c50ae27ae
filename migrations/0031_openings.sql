-- Where a note opens, which is what the gate compares: two numbers that are said once, when it is written, so that nothing that
-- is said of the book later moves it.
--
-- Whose steps are at the place "frame" of the table "reach" sees the note from "frame_at" on, exactly; both are NULL where nothing
-- compares so. All others see it from "opens_at" on, which lies no earlier. What names no edition compares with what names none,
-- as it always did: its frame is its book. The position is only where a note speaks of.
ALTER TABLE notes ADD COLUMN opens_at INTEGER NOT NULL DEFAULT 0 CHECK (opens_at BETWEEN 0 AND 1000000);
ALTER TABLE notes ADD COLUMN frame INTEGER;
ALTER TABLE notes ADD COLUMN frame_at INTEGER CHECK (frame_at BETWEEN 0 AND 1000000);
ALTER TABLE notes ADD COLUMN opens TEXT CHECK (opens IN ('position', 'finished', 'everyone')); -- NULL: nobody has said it
ALTER TABLE notes ADD COLUMN at TEXT;
ALTER TABLE notes ADD COLUMN about BLOB CHECK (length(about) = 16); -- a meeting or a milestone
-- Of a reply the key of what it answers; of older ones that is what their thread began with.
ALTER TABLE notes ADD COLUMN answers INTEGER;
UPDATE notes SET answers = (SELECT root.key FROM notes AS root WHERE root.id = notes.thread) WHERE thread IS NOT NULL;
CREATE INDEX notes_answers ON notes (answers) WHERE answers IS NOT NULL;
UPDATE notes SET opens_at = min(1000000, position + 50000), frame = book, frame_at = position WHERE position > 0;

-- How much later notes open to who reads by other numbers, where no chapters are known; NULL: 50000.
ALTER TABLE clubs ADD COLUMN slack INTEGER CHECK (slack BETWEEN 0 AND 1000000);

-- Which notes an entry unlocks is found in them alone: those that it reaches in their frame, and those that open.
DROP INDEX notes_ahead;
CREATE INDEX notes_ahead ON notes (club, frame, frame_at, opens_at, book, author) WHERE body IS NOT NULL;
CREATE INDEX notes_opening ON notes (club, book, opens_at, frame, frame_at, author) WHERE body IS NOT NULL;

-- Where everybody is to be, as it was said.
ALTER TABLE milestones ADD COLUMN at TEXT;
ALTER TABLE meetings ADD COLUMN at TEXT;

-- How far readers have come. Until now what named an edition counted, rounded, at the book's own place of "reach"; from here on it
-- does in its frame and, rounded, at the place 3 << 60 of the book, and at the book's own only what named none. What was seen stays:
-- the step that counted both ends with the change that comes next. One that begins with that begins a change earlier.
UPDATE reach SET until = until - 1 WHERE until = (SELECT ifnull(max(seq), 0) + 1 FROM changes) AND place > 0 AND EXISTS (
    SELECT 1 FROM reach AS next JOIN readings ON readings.reader = next.reader AND readings.book = next.place
        JOIN entries ON entries.reading = readings.key AND entries.frame IS NOT NULL
    WHERE next.reader = reach.reader AND next.place = reach.place AND next.since = reach.until);
UPDATE OR REPLACE reach SET since = since - 1, progress = max(progress, ifnull((SELECT before.progress FROM reach AS before
    WHERE before.reader = reach.reader AND before.place = reach.place AND before.since = reach.since - 1), 0))
WHERE since = (SELECT ifnull(max(seq), 0) + 1 FROM changes) AND place > 0 AND EXISTS (
    SELECT 1 FROM readings JOIN entries ON entries.reading = readings.key AND entries.frame IS NOT NULL
    WHERE readings.reader = reach.reader AND readings.book = reach.place);
INSERT INTO reach (reader, place, since, until, progress)
SELECT readings.reader, readings.book, (SELECT ifnull(max(seq), 0) + 1 FROM changes), 9223372036854775807,
    max(CASE WHEN readings.state = 'finished' THEN 1000000 WHEN entries.frame IS NULL THEN ifnull(entries.progress, 0) ELSE 0 END)
FROM readings LEFT JOIN entries ON entries.reading = readings.key
WHERE readings.reader IN (SELECT reader FROM members) AND (readings.reader, readings.book) IN (
    SELECT framed.reader, framed.book FROM entries JOIN readings AS framed ON framed.key = entries.reading
    WHERE entries.frame IS NOT NULL)
GROUP BY readings.reader, readings.book;
INSERT INTO reach (reader, place, since, until, progress)
SELECT reader, place, (SELECT ifnull(max(seq), 0) + 1 FROM changes), 9223372036854775807, max(progress) FROM (
    SELECT readings.reader, entries.frame AS place, entries.progress
    FROM entries JOIN readings ON readings.key = entries.reading WHERE entries.frame IS NOT NULL
    UNION ALL SELECT readings.reader, 3 << 60 | readings.book, entries.floor
    FROM entries JOIN readings ON readings.key = entries.reading WHERE entries.frame IS NOT NULL)
WHERE reader IN (SELECT reader FROM members) GROUP BY reader, place;
UPDATE reach SET until = (SELECT ifnull(max(seq), 0) + 1 FROM changes)
WHERE until = 9223372036854775807 AND since <= (SELECT ifnull(max(seq), 0) FROM changes) AND EXISTS (
    SELECT 1 FROM reach AS next WHERE next.reader = reach.reader AND next.place = reach.place
        AND next.since = (SELECT ifnull(max(seq), 0) + 1 FROM changes));
