import Model

/// The handling of reports when a reader leaves. The reader's own reports are deleted, and others stay without the
/// reader's words.
extension DepartingReaderData {
    static func reports(of reader: Int64, in db: SQLiteConnection) throws(SQLiteError) -> [any CommandChange] {
        let own = try some(ContentReportTable.self, own, of: reader, in: db)
        if !own.isEmpty { return ContentReportTable.deletions(of: own) }
        let copies = try some(ContentReportTable.self, copies, of: reader, in: db)
        if !copies.isEmpty { return copies.map { ContentReportTable.update(of: $0) { $0.copy = nil } } }
        return try some(ContentReportTable.self, remarks, of: reader, in: db).map {
            ContentReportTable.update(of: $0) { $0.remark = nil }
        }
    }

    private static let own = ContentReportTable.rows.sql("WHERE reports.reporter = ?1 LIMIT ?2")
    /// The query for reports with a copy of the reader's words, or of a club that ended with its last member.
    private static let copies = ContentReportTable.rows.sql(
        """
        WHERE reports.copy IS NOT NULL AND (reports.author = (SELECT id FROM readers WHERE key = ?1)
            OR reports.about = 'note' AND reports.subject IN (SELECT id FROM notes WHERE notes.author = ?1 AND is_nameless = 1)
            OR reports.about = 'club' AND NOT EXISTS (SELECT 1 FROM clubs WHERE clubs.id = reports.subject)) LIMIT ?2
        """)
    private static let remarks = ContentReportTable.rows.sql(
        "WHERE reports.decider = ?1 AND reports.remark IS NOT NULL LIMIT ?2")
}
