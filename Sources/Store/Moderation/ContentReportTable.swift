package import Model

/// The table of reports. A report's changes in the log are for its reporter; those who decide watch their list.
enum ContentReportTable: ResourceTable {
    static let rows = TableMapping<ContentReport>("reports")

    static func scope(of row: ContentReport) -> ChangeScope { .reader(key: row.reporterKey) }

    private static let ofClubs = """
        SELECT clubs.id FROM members JOIN clubs ON clubs.key = members.club
        WHERE members.reader = ?1 AND members.role <> 'member'
        """

    /// The condition that the reader `?1`, an administrator if `?2`, may decide on a report. Nobody may decide on a
    /// report about themselves, also if the note does not name its author.
    private static let decides = """
        ((?2 OR reports.club IN (\(ofClubs))) AND reports.author IS NOT (SELECT id FROM readers WHERE key = ?1)
            AND NOT EXISTS (SELECT 1 FROM notes WHERE notes.id = reports.subject AND notes.author = ?1))
        """

    /// The list of the reports that the reader `?1` made or may decide on. An administrator's list walks all reports.
    fileprivate static let (seen, seenByAdministrator) = (
        list(
            """
            reports.key IN (SELECT key FROM reports WHERE reporter = ?1
                UNION ALL SELECT key FROM reports WHERE club IN (\(ofClubs)))
            """), list("1")
    )

    /// Returns a list of reports. `?3` selects open or closed reports, and `?4` the reader's own or others.
    private static func list(_ condition: String) -> SortedTableList<ContentReport> {
        SortedTableList(
            rows,
            where: """
                \(condition) AND (reports.reporter = ?1 OR \(decides))
                AND (?3 IS NULL OR (reports.outcome IS NULL) = ?3) AND (?4 IS NULL OR (reports.reporter = ?1) = ?4)
                """, order: .newestFirst)
    }
    private static let found = rows.sql("WHERE reports.id = ?3 AND (reports.reporter = ?1 OR \(decides))")
    private static let decided = rows.sql("WHERE reports.id = ?3 AND \(decides)")
    private static let isReached = SQLText(
        "SELECT 1 FROM notes WHERE notes.id = ?2 AND (notes.author = ?1 OR \(NoteVisibilitySQL.isReached()))")

    // The reader's own reports are deleted, and others stay without the reader's words. A copy may be of these words, or
    // of a club that ended with its last member.
    static let endings = [
        ending(of: .reader, where: "reports.reporter = ?1"),
        ending(
            of: .reader,
            where: """
                reports.copy IS NOT NULL AND (reports.author = (SELECT id FROM readers WHERE key = ?1)
                    OR reports.about = 'note' AND reports.subject IN (
                        SELECT id FROM notes WHERE notes.author = ?1 AND is_nameless = 1)
                    OR reports.about = 'club' AND NOT EXISTS (SELECT 1 FROM clubs WHERE clubs.id = reports.subject))
                """
        ) { [update(of: $0) { $0.copy = nil }] },
        ending(of: .reader, where: "reports.decider = ?1 AND reports.remark IS NOT NULL") {
            [update(of: $0) { $0.remark = nil }]
        },
    ]

    /// Returns a report that the viewer may see or, with `toDecide`, may decide on.
    static func find(
        _ id: ResourceID, for viewer: Viewer, toDecide: Bool = false, in connection: SQLiteConnection
    ) throws(SQLiteError) -> ContentReport? {
        try connection.statement(toDecide ? decided : found).bind(
            viewer.readerKey, viewer.role == .administrator ? 1 : 0, id
        ).first(row)
    }

    /// Returns the last report of a reader about a subject.
    static func last(
        by reporter: Int64, about subject: ResourceID, in connection: SQLiteConnection
    ) throws(SQLiteError) -> ContentReport? {
        try matching(
            "reports.reporter = ?1 AND reports.subject = ?2 ORDER BY reports.key DESC LIMIT 1", in: connection
        ).bind(reporter, subject).first(row)
    }

    /// Returns the number of open reports of a reader, or of all readers.
    static func countOpen(by reporter: Int64? = nil, in connection: SQLiteConnection) throws(SQLiteError) -> Int64 {
        // Two queries, because one for both would walk all open reports of the server.
        guard let reporter else {
            return try connection.number("SELECT count(*) FROM reports WHERE outcome IS NULL") ?? 0
        }
        return try connection.statement("SELECT count(*) FROM reports WHERE reporter = ?1 AND outcome IS NULL")
            .bind(reporter).number() ?? 0
    }

    /// Returns the report as the viewer may see it. Moderators see its words only if they may see the note, by their
    /// marks or because the club lets moderators see ahead.
    static func shown(_ report: ContentReport, to viewer: Viewer, in connection: SQLiteConnection) throws(SQLiteError)
        -> ContentReport
    {
        guard report.about == .note, report.reporterKey != viewer.readerKey, viewer.role != .administrator,
            try !connection.statement(isReached).bind(viewer.readerKey, report.subject).hasRow()
        else { return report }
        var shown = report
        (shown.text, shown.copy) = (nil, nil)
        return shown
    }
}

extension ReadConnection {
    /// Returns the reports that a viewer made or may decide on, newest first, optionally only open or closed ones, and
    /// only own or others' ones.
    package func reports(
        for viewer: Viewer, areOpen: Bool?, areOwn: Bool?, after cursor: String?, limit: Int
    ) throws(RequestError) -> ListPage<ContentReport> {
        func number(_ bool: Bool?) -> Int64? { bool.map { $0 ? 1 : 0 } }
        let isAdministrator = viewer.role == .administrator
        let list = isAdministrator ? ContentReportTable.seenByAdministrator : ContentReportTable.seen
        return try read { () throws(RequestError) in
            try page(list, after: cursor, limit: limit) {
                $0.bind(viewer.readerKey, number(isAdministrator), number(areOpen), number(areOwn))
            }.map { report throws(RequestError) in
                try query(ContentReportTable.shown(report, to: viewer, in: db))
            }
        }
    }

    /// Returns a report that a viewer made or may decide on, or `nil`.
    package func report(_ id: ResourceID, for viewer: Viewer) throws(RequestError) -> ContentReport? {
        try query(
            ContentReportTable.find(id, for: viewer, in: db).map { report throws(SQLiteError) in
                try ContentReportTable.shown(report, to: viewer, in: db)
            })
    }
}
