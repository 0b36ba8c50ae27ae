extension IntegrityRules {
    static let covers = [
        """
        SELECT 'books: ' || hex(books.id) || ' names a cover that is not there' FROM books
        WHERE cover_digest IS NOT NULL AND NOT EXISTS (SELECT 1 FROM covers WHERE covers.book = books.key)
        """,
        """
        SELECT 'covers: the book ' || covers.book || ' names no cover' FROM covers
        WHERE NOT EXISTS (SELECT 1 FROM books WHERE books.key = covers.book AND cover_digest IS NOT NULL)
        """,
    ]

    static let editions = [
        """
        SELECT 'readings: ' || hex(readings.id) || ' is read in an edition of another book' FROM readings
        WHERE edition IS NOT NULL
            AND NOT EXISTS (SELECT 1 FROM editions WHERE editions.id = readings.edition AND editions.book = readings.book)
        """,
        """
        SELECT 'editions: ' || hex(editions.id) || ' has anchors that are not one for each chapter of its book' FROM editions
        WHERE json_valid(anchors) AND NOT EXISTS (SELECT 1 FROM chapters WHERE chapters.key = editions.book
            AND json_valid(chapters) AND json_array_length(chapters) = json_array_length(anchors))
        """,
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

    /// Returns the rule that amounts are in a scale of their own book.
    static func scales(of table: String, _ column: String, in book: String) -> String {
        """
        SELECT '\(table): ' || hex(\(table).id) || ' counts in a scale of another book' FROM \(table)
        WHERE \(column) IS NOT NULL
            AND NOT EXISTS (SELECT 1 FROM scales WHERE scales.key = \(table).\(column) AND scales.book = \(book))
        """
    }

    static let knowledge = ["scale", "chapters"].map { scales(of: "knowledge", $0, in: "knowledge.book") }

    static let scalesOfEntries = ["scale", "chapters"].map {
        scales(of: "entries", $0, in: "(SELECT readings.book FROM readings WHERE readings.key = entries.reading)")
            + " AND NOT EXISTS (SELECT 1 FROM deleted_readings WHERE deleted_readings.reading = entries.reading)"
    }
}
