import Foundation

/// Typical queries and the books that they mean, written before any test and without a look at the code. A failing
/// query stays; the note of a wrong query says what was wrong. The 10,000 goodbooks are beside the project and not part
/// of it.
enum SearchTable {
    struct Book: Sendable {
        let key: String
        let title: String
        let authors: [String]
        let language: String
        let year: Int64?
        let isbn: String?
    }

    struct Query: Sendable {
        let group: String
        let text: String
        /// The books that the query may mean: numbers of goodbooks, or keys of the multilingual list.
        let books: [String]
        /// The title of the first book.
        let title: String
    }

    static let absent = "goodbooks is not at ../shared/data/goodbooks"
    static var isPresent: Bool { FileManager.default.fileExists(atPath: goodbooks) }

    static let goodbooks = root.deletingLastPathComponent().appending(path: "shared/data/goodbooks/books.csv").path()

    static let books = rows("books.tsv").map { row in
        Book(
            key: row[0], title: row[1], authors: row[2].split(separator: ";").map(String.init), language: row[3],
            year: Int64(row[4]), isbn: row[5].isEmpty ? nil : row[5])
    }

    static let queries = rows("queries.tsv").map { row in
        Query(group: row[0], text: row[1], books: row[2].split(separator: " ").map(String.init), title: row[3])
    }

    /// The queries with a typing error: each has a word that none of its books contains.
    static let typos = rows("typos.tsv").map { row in
        Query(group: "typo", text: row[0], books: row[1].split(separator: " ").map(String.init), title: row[2])
    }

    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    private static func rows(_ name: String) -> [[String]] {
        let path = root.appending(path: "Tests/Search/\(name)").path()
        let text = FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) } ?? ""
        return text.split(separator: "\n").dropFirst().map { line in
            line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        }
    }
}
