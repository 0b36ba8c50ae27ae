package import Model

extension ReadConnection {
    /// What to ask instead of a search that no book passes: a text that books pass, with everything else as the filter has it;
    /// nil when nothing near was found soon.
    package func suggestion(for filter: BookFilter) throws(LecternError) -> String? {
        guard let search = filter.search else { return nil }
        return try query { db throws(SQLiteError) in
            let suggestion = Suggestion(
                near: { word throws(SQLiteError) in try NearWord.all(of: word[...], in: db) },
                hits: { words throws(SQLiteError) in try Self.hits(words, filter, in: db) },
                microseconds: { PageTime.now }, microsecondsMax: pageMicrosecondsMax)
            return try suggestion.find(search.terms)
        }
    }

    /// A try takes no longer, but for its first row.
    private static let tryMicrosecondsMax = 2000

    /// How many books pass a filter with other words, up to a bound: those that are found when the words are asked as a search, and have
    /// the changed ones as whole words.
    private static func hits(_ words: [NearWord], _ filter: BookFilter, in db: Connection) throws(SQLiteError) -> Int {
        let text = Suggestion.text(words)
        guard text.unicodeScalars.count <= SearchQuery.scalarsMax, let search = SearchQuery(text) else { return 0 }
        var filter = filter
        filter.search = search
        let changed = words.filter { $0.distance > 0 }.flatMap { $0.text.split(separator: UInt8(ascii: " ")) }
        let exactly = changed.map { " AND \"\(String(decoding: $0, as: UTF8.self))\"" }.joined()
        let statement = try db.statement(passes, BookSearch.condition(filter))
        BookSearch.bind(filter, BookSearch.match(filter).map { $0 + exactly }, to: statement)
        defer { statement.reset() }
        var time = PageTime(microsecondsMax: tryMicrosecondsMax)
        var count = 0
        while count < Suggestion.hitsMax, try statement.step() {
            if statement.integer(0) != 0 { count += 1 }
            if time.isOver { break }
        }
        return count
    }

    /// For each book that has the words, whether it passes the rest of a filter.
    private static let passes = Variants<String?> { condition in
        guard let condition else { return "SELECT 1 FROM books_words WHERE books_words MATCH ?4" }
        return """
            SELECT ifnull(\(condition), 0) FROM books_words CROSS JOIN books ON books.key = \(BookIndex.key)
            WHERE books_words MATCH ?4
            """
    }
}
