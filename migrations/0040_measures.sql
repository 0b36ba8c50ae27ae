-- Within an edition amounts are compared, whatever is held true of its chapters; and across editions counts every measure that was
-- held true of each when something was said in it.
--
-- Until now what was said in an edition with anchors was known by chapters only, and of it no amount was kept: so it stays for what is
-- there. What is exact counts in billionths from here on.
CREATE TABLE measures (
    edition  INTEGER PRIMARY KEY REFERENCES editions (key),
    believed TEXT NOT NULL -- a JSON array of shares, each with the greatest amount and the smallest at which it was held to be reached
) STRICT;

-- What is held true now of editions with anchors; and of those in which something was said before they had any, that beside it.
INSERT INTO measures WITH parted AS (
    SELECT key, book, story_start AS first, story_end AS last,
        EXISTS (SELECT 1 FROM anchors WHERE anchors.key = editions.key) AS is_anchored,
        EXISTS (SELECT 1 FROM entries WHERE frame = (2 << 60 | editions.key) AND frame IS NOT NULL)
            OR EXISTS (SELECT 1 FROM knowledge WHERE frame = (2 << 60 | editions.key) AND frame IS NOT NULL)
            OR EXISTS (SELECT 1 FROM notes WHERE notes.book = editions.book AND frame = (2 << 60 | editions.key)) AS is_plain
    FROM editions),
begun AS (
    SELECT parted.key AS edition, first, last, is_plain, CAST(round(1000000 * (chapter.value ->> 'share')) AS INTEGER) AS share,
        CAST(round(1000 * anchor.value) AS INTEGER) AS amount
    FROM parted JOIN anchors ON anchors.key = parted.key JOIN chapters ON chapters.key = parted.book
        JOIN json_each(chapters.chapters) AS chapter JOIN json_each(anchors.begins) AS anchor ON anchor.key = chapter.key),
points AS (
    SELECT edition, first, last, is_plain, share, amount FROM begun
    UNION ALL SELECT key, first, last, is_plain, 0, first FROM parted WHERE (is_anchored OR is_plain)
        AND NOT EXISTS (SELECT 1 FROM begun WHERE begun.edition = parted.key AND begun.share = 0)
    UNION ALL SELECT key, first, last, is_plain, 1000000, last FROM parted WHERE is_anchored OR is_plain)
SELECT DISTINCT edition, json_group_array(json_array(share,
        CASE WHEN is_plain THEN max(amount, first + (share * (last - first) + 999999) / 1000000) ELSE amount END,
        CASE WHEN is_plain THEN min(amount, first + share * (last - first) / 1000000) ELSE amount END))
    OVER (PARTITION BY edition ORDER BY share ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)
FROM points;

ALTER TABLE entries ADD COLUMN frame_at INTEGER CHECK (frame_at BETWEEN 0 AND 1000000000);
ALTER TABLE entries ADD COLUMN chapters_at INTEGER CHECK (chapters_at BETWEEN 0 AND 1000000000); -- NULL: not known, or the frame's
UPDATE entries SET frame_at = 1000 * progress WHERE frame IS NOT NULL;
ALTER TABLE knowledge ADD COLUMN frame_at INTEGER CHECK (frame_at BETWEEN 0 AND 1000000000);
ALTER TABLE knowledge ADD COLUMN chapters_at INTEGER CHECK (chapters_at BETWEEN 0 AND 1000000000);
UPDATE knowledge SET frame_at = 1000 * progress WHERE frame IS NOT NULL;

-- Of a note the frame is its edition, or its book where it names none; and who comes by chapters, comes to it there.
DROP INDEX notes_ahead;
DROP INDEX notes_opening;
ALTER TABLE notes ADD COLUMN chapters_at INTEGER CHECK (chapters_at BETWEEN 0 AND 1000000000);
ALTER TABLE notes ADD COLUMN kept_at INTEGER CHECK (kept_at BETWEEN 0 AND 1000000000);
UPDATE notes SET kept_at = CASE WHEN frame = book THEN frame_at ELSE 1000 * frame_at END WHERE frame IS NOT NULL;
UPDATE notes SET chapters_at = kept_at, kept_at = NULL, frame = NULL WHERE frame >> 60 = 1;
ALTER TABLE notes DROP COLUMN frame_at;
ALTER TABLE notes RENAME COLUMN kept_at TO frame_at;
CREATE INDEX notes_ahead ON notes (club, frame, frame_at, opens_at, book, author, audience, chapters_at) WHERE body IS NOT NULL;
CREATE INDEX notes_opening ON notes (club, book, opens_at, frame, frame_at, author, audience, chapters_at) WHERE body IS NOT NULL;
CREATE INDEX notes_chapters ON notes (club, book, chapters_at, opens_at, frame, frame_at, author, audience)
    WHERE body IS NOT NULL AND chapters_at IS NOT NULL;

CREATE TABLE steps (
    reader   INTEGER NOT NULL,
    place    INTEGER NOT NULL,
    since    INTEGER NOT NULL,
    until    INTEGER NOT NULL,
    progress INTEGER NOT NULL CHECK (progress BETWEEN 0 AND 1000000000),
    PRIMARY KEY (reader, place, since)
) STRICT, WITHOUT ROWID;
INSERT INTO steps SELECT reader, place, since, until, CASE WHEN place >> 60 IN (1, 2) THEN 1000 * progress ELSE progress END FROM reach;
DROP TABLE reach;
ALTER TABLE steps RENAME TO reach;
CREATE INDEX reach_progress ON reach (reader, place, progress DESC, until, since);
