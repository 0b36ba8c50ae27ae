import Model

extension ReadConnection {
    /// Refuses what needs the search index, or what books are sorted by, as long as that is being renewed for this version.
    ///
    /// It is asked of the database, not of the writer, so that no snapshot has half an index. What is whole stays so as long as the
    /// process lives.
    func demandIndex() throws(LecternError) {
        if isIndexWhole { return }
        let progress = try query { db throws(SQLiteError) in
            isIndexWhole = try SearchIndex.isWhole(db)
            return try isIndexWhole ? nil : SearchProgress(in: db) ?? SearchProgress(total: 0)
        }
        guard let progress else { return }
        throw .unavailable(
            .searchRenewing,
            """
            What is searched, and what books are sorted by, is being renewed for this version of the service: \
            \(progress.percent) % of it are done. All else is there.
            """, retryAfterSeconds: Int(min(60, max(0, progress.total - progress.rows) / 20_000 + 1)))
    }
}
