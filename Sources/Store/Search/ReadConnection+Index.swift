import Model

extension ReadConnection {
    /// Throws if the search index, or the sort keys of books, are still being renewed for this version.
    ///
    /// The check reads the database, not the writer, so that no snapshot uses an incomplete index. A complete index
    /// stays complete for the life of the process.
    func demandIndex() throws(LecternError) {
        if isIndexWhole { return }
        let progress = try query { db throws(SQLiteError) in
            isIndexWhole = try SearchIndex.isWhole(db)
            return try isIndexWhole ? nil : SearchIndexProgress(in: db) ?? SearchIndexProgress(total: 0)
        }
        guard let progress else { return }
        throw .unavailable(
            .searchRenewing,
            """
            The index for searching and sorting is being rebuilt for this version of the server: \
            \(progress.percent) % is done. Other requests work.
            """, retryAfterSeconds: Int(min(60, max(0, progress.total - progress.rows) / 20_000 + 1)))
    }
}
