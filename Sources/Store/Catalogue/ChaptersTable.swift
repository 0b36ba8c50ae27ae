package import Model

/// The table of chapters, with one row per book.
enum ChaptersTable: ExportedTable {
    static let rows = TableMapping<Chapters>("chapters", key: .own)

    static func scope(of row: Chapters) -> ChangeScope { .everyone }

    static let endings = [ending(of: .book, where: "chapters.key = ?1")]
}

extension ReadConnection {
    /// Returns the chapters of a book, or `nil`.
    package func chapters(ofBook book: ResourceID) throws(RequestError) -> Chapters? {
        try query(ChaptersTable.find(book, in: db))
    }
}
