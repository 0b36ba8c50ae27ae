package import Model

extension ReadConnection {
    /// What to ask instead of a search that no book passes: a text that books pass, with everything else as the filter has it;
    /// nil when nothing near was found soon.
    package func suggestion(for filter: BookFilter) throws(LecternError) -> String? {
        guard let search = filter.search else { return nil }
        return try query { db throws(SQLiteError) in
            let suggestion = Suggestion(
                near: { word throws(SQLiteError) in try NearWord.all(of: word[...], in: db) },
                merit: { words throws(SQLiteError) in try Self.merit(words, filter, in: db) },
                microseconds: { PageTime.now }, microsecondsMax: pageMicrosecondsMax)
            return try suggestion.find(search.terms)
        }
    }

    /// A try takes no longer, but for its first row.
    private static let tryMicrosecondsMax = 2000

    /// Books are counted up to so many.
    private static let countMax = 50

    /// How good the books are that pass a filter with other words: by how many readers have the first, then by how many books
    /// they are. Only those count that are found when the words are asked as a search, and have the changed ones as whole words.
    private static func merit(_ words: [NearWord], _ filter: BookFilter, in db: Connection) throws(SQLiteError) -> Int {
        let text = Suggestion.text(words)
        guard text.unicodeScalars.count <= SearchQuery.scalarsMax, let search = SearchQuery(text) else { return 0 }
        var filter = filter
        filter.search = search
        let changed = words.filter { $0.distance > 0 }.flatMap { $0.text.split(separator: UInt8(ascii: " ")) }
        let exactly = changed.map { " AND \"\(String(decoding: $0, as: UTF8.self))\"" }.joined()
        let statement = try db.statement(passes, BookSearch.condition(filter, hasLanguage: true))
        BookSearch.bind(filter, BookSearch.match(filter).map { $0 + exactly }, to: statement)
        defer { statement.reset() }
        var time = PageTime(microsecondsMax: tryMicrosecondsMax)
        // Of words as they were typed nothing is asked but whether they are there.
        let enough = changed.isEmpty ? 1 : countMax
        var (count, readers) = (0, 0)
        while count < enough, try statement.step() {
            if statement.integer(0) != 0 {
                if count == 0 { readers = Int(BookIndex.readerClass(ofPlace: statement.integer(1))) }
                count += 1
            }
            if time.isOver { break }
        }
        return readers * (countMax + 1) + count
    }

    /// For each book that has the words, whether it passes the rest of a filter.
    private static let passes = Variants<String?> { condition in
        guard let condition else { return "SELECT 1, rowid FROM books_words WHERE books_words MATCH ?4 ORDER BY rowid" }
        return """
            SELECT ifnull(\(condition), 0), books_words.rowid
            FROM books_words CROSS JOIN books ON books.key = \(BookIndex.key)
            WHERE books_words MATCH ?4 ORDER BY books_words.rowid
            """
    }
}
