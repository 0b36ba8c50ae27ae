package import Model

extension ReadConnection {
    /// Returns a query to suggest for a search without results: similar words that match books, with the rest of the
    /// filter unchanged. Returns `nil` if none is found in time.
    package func suggestion(for filter: BookFilter) throws(RequestError) -> String? {
        guard let search = filter.search else { return nil }
        return try query { db throws(SQLiteError) in
            let suggestion = SearchSuggestion(
                near: { word throws(SQLiteError) in try SimilarWord.all(of: word[...], in: db) },
                merit: { words throws(SQLiteError) in try Self.merit(words, filter, in: db) },
                microseconds: { PageTimeLimit.now }, microsecondsMax: pageMicrosecondsMax)
            return try suggestion.find(search.terms)
        }
    }

    /// The time limit of one try in microseconds, not counting its first row.
    private static let tryMicrosecondsMax = 2000

    /// The maximum number of books that are counted.
    private static let countMax = 50

    /// Returns how good the results of a filter with other words are: by the readers of the first book, then by the
    /// number of books. A book counts only if a search for the words finds it, and it contains the changed words as
    /// whole words.
    private static func merit(_ words: [SimilarWord], _ filter: BookFilter, in db: SQLiteConnection) throws(SQLiteError)
        -> Int
    {
        let text = SearchSuggestion.text(words)
        guard text.unicodeScalars.count <= SearchQuery.scalarsMax, let search = SearchQuery(text) else { return 0 }
        var filter = filter
        filter.search = search
        let changed = words.filter { $0.distance > 0 }.flatMap { $0.text.split(separator: UInt8(ascii: " ")) }
        let exactly = changed.map { " AND \"\(String(decoding: $0, as: UTF8.self))\"" }.joined()
        let books = BookSearchResults(search, filter, in: db, matching: exactly)
        let statement = try books.rows(after: -1, through: .max)
        defer { statement.reset() }
        var time = PageTimeLimit(microsecondsMax: tryMicrosecondsMax)
        // For words without a change, it is enough to know that they occur.
        let enough = changed.isEmpty ? 1 : countMax
        var (count, readers) = (0, 0)
        while count < enough, try statement.step() {
            if books.passes(statement) {
                if count == 0 { readers = Int(BookWordIndex.readerClass(ofPlace: books.place(of: statement))) }
                count += 1
            }
            if time.isOver { break }
        }
        return readers * (countMax + 1) + count
    }
}
