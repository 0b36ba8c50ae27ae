import Model

/// Searches in the words of books.
enum BookSearch {
    /// From how many books on it is better to walk in the list's order than to begin with the words.
    private static let commonMin: Int64 = 500

    /// FTS5's expression for a filter; nil when it asks for no words.
    static func match(_ filter: BookFilter) -> String? {
        let parts = [
            filter.author.map { "authors : (\(expression($0)))" }, filter.search.map { "(\(expression($0)))" },
        ]
        let given = parts.compactMap(\.self)
        return given.isEmpty ? nil : given.joined(separator: " AND ")
    }

    /// Folded words hold no quote, so quoting them is safe. A `String` of UTF-8 keeps its bytes.
    static func expression(_ query: SearchQuery) -> String {
        query.words.enumerated().map { index, word in
            "\"\(String(decoding: word, as: UTF8.self))\""
                + (query.lastIsPrefix && index == query.words.count - 1 ? "*" : "")
        }.joined(separator: " AND ")
    }

    /// Whether an expression matches many books.
    static func isCommon(_ match: String, in connection: Connection) throws(SQLiteError) -> Bool {
        let count = try connection.statement(
            "SELECT count(*) FROM (SELECT 1 FROM books_words WHERE books_words MATCH ?1 LIMIT ?2)"
        ).bind(1, match).bind(2, commonMin).first { $0.integer(0) }
        return (count ?? 0) >= commonMin
    }
}
