extension Rules {
    static let editions = [
        """
        SELECT 'readings: ' || hex(readings.id) || ' is read in an edition of another book' FROM readings
        WHERE edition IS NOT NULL
            AND NOT EXISTS (SELECT 1 FROM editions WHERE editions.id = readings.edition AND editions.book = readings.book)
        """
    ]

    static let chapters = [
        """
        SELECT 'chapters: ' || hex(chapters.id) || ' are of no book' FROM chapters
        WHERE NOT EXISTS (SELECT 1 FROM books WHERE books.key = chapters.key AND books.id = chapters.id)
        """,
        """
        SELECT 'chapters: ' || hex(id) || ' do not rise' FROM chapters WHERE json_valid(chapters) AND EXISTS (
            SELECT 1 FROM (SELECT json_extract(value, '$.share') AS share,
                lag(json_extract(value, '$.share'), 1, -1) OVER (ORDER BY key) AS earlier FROM json_each(chapters.chapters))
            WHERE share <= earlier OR share >= 1)
        """,
    ]

    static let anchors = [
        """
        SELECT 'anchors: ' || hex(anchors.id) || ' are not one for each chapter of an edition''s book' FROM anchors
        WHERE NOT EXISTS (SELECT 1 FROM editions JOIN chapters ON chapters.key = editions.book
            WHERE editions.key = anchors.key AND editions.id = anchors.id
                AND json_valid(chapters) AND json_array_length(chapters) = json_array_length(begins))
        """
    ]

    static let measures = [
        """
        SELECT 'measures: what was held true of the edition ' || edition || ' does not rise' FROM measures
        WHERE json_valid(believed) AND (json_array_length(believed) < 2 OR EXISTS (
            SELECT 1 FROM (SELECT value ->> 0 AS share, value ->> 1 AS latest, value ->> 2 AS earliest,
                lag(value ->> 0, 1, -1) OVER (ORDER BY key) AS before FROM json_each(measures.believed))
            WHERE share <= before OR earliest > latest))
        """
    ]

    static let knowledge = [
        """
        SELECT 'knowledge: ' || hex(id) || ' says as far as where, and what that means is half known' FROM knowledge
        WHERE (frame IS NULL) <> (floor IS NULL) OR (frame IS NULL) <> (frame_at IS NULL) OR frame IS NULL AND chapters_at IS NOT NULL
            OR floor > progress OR ceiling < progress OR through IS NULL AND (frame IS NOT NULL OR ceiling IS NOT NULL OR progress < 1000000)
        """
    ]

    static let frames = [
        """
        SELECT 'entries: ' || hex(id) || ' says where, and what that means is half known' FROM entries
        WHERE (frame IS NULL) <> (floor IS NULL) OR (frame IS NULL) <> (frame_at IS NULL) OR frame IS NULL AND chapters_at IS NOT NULL
            OR floor > progress OR frame IS NOT NULL AND at IS NULL
        """
    ]
}
