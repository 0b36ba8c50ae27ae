package import Model

/// Rows of the chapters of books, a row for all of a book.
enum ChaptersTable: Table {
    static let rows = Rows<Chapters>("chapters", key: .own)

    static func scope(of row: Chapters) -> Scope { .everyone }
}

extension ReadConnection {
    /// The chapters of a book; nil when nobody said them.
    package func chapters(ofBook book: ResourceID) throws(LecternError) -> Chapters? {
        try query { db throws(SQLiteError) in try ChaptersTable.find(book, in: db) }
    }
}
