package import Model

/// Rows of reports. The log tells of each who made it; those who decide watch their list.
enum ReportTable: Table {
    static let rows = Rows<Report>("reports", joins: "reports JOIN readers ON readers.key = reports.reporter")

    static func scope(of row: Report) -> Scope { .reader(key: row.reporterKey) }

    private static let ofClubs = """
        SELECT clubs.id FROM members JOIN clubs ON clubs.key = members.club
        WHERE members.reader = ?1 AND members.role <> 'member'
        """

    /// Whether the reader `?1`, an administrator where `?2` says so, decides on a report: nobody does on one about themselves.
    private static let decides = """
        ((?2 OR reports.club IN (\(ofClubs))) AND reports.author IS NOT (SELECT id FROM readers WHERE key = ?1))
        """

    /// The same and their own; open ones, or closed ones, where `?3` says which, and own ones, or others, where `?4` does.
    fileprivate static let seen = TableList<ReportTable>(
        where: """
            reports.key IN (SELECT key FROM reports WHERE reporter = ?1
                UNION ALL SELECT key FROM reports WHERE club IN (\(ofClubs))
                UNION ALL SELECT key FROM reports WHERE ?2)
            AND (reports.reporter = ?1 OR \(decides))
            AND (?3 IS NULL OR (reports.outcome IS NULL) = ?3) AND (?4 IS NULL OR (reports.reporter = ?1) = ?4)
            """, isDescending: true)
    private static let found = rows.sql("WHERE reports.id = ?3 AND (reports.reporter = ?1 OR \(decides))")
    private static let decided = rows.sql("WHERE reports.id = ?3 AND \(decides)")
    private static let last = rows.sql(
        "WHERE reports.reporter = ?1 AND reports.subject = ?2 ORDER BY reports.key DESC LIMIT 1")
    private static let isReached = SQL(
        "SELECT 1 FROM notes WHERE notes.id = ?2 AND (notes.author = ?1 OR \(NoteGate.isReached()))")

    /// A report that the viewer may see; one that they may decide on, where that is asked.
    static func find(
        _ id: ResourceID, for viewer: Viewer, toDecide: Bool = false, in connection: Connection
    ) throws(SQLiteError) -> Report? {
        try connection.statement(toDecide ? decided : found).bind(1, viewer.readerKey)
            .bind(2, viewer.role == .administrator ? 1 : 0).bind(3, id).first(row)
    }

    /// The last one by which a reader reported something.
    static func last(
        by reporter: Int64, about subject: ResourceID, in connection: Connection
    ) throws(SQLiteError) -> Report? {
        try connection.statement(last).bind(1, reporter).bind(2, subject).first(row)
    }

    /// How many of a reader's are open; of all readers' without one.
    static func countOpen(by reporter: Int64? = nil, in connection: Connection) throws(SQLiteError) -> Int64 {
        guard let reporter else {
            return try connection.number("SELECT count(*) FROM reports WHERE outcome IS NULL") ?? 0
        }
        return try connection.statement("SELECT count(*) FROM reports WHERE reporter = ?1 AND outcome IS NULL")
            .bind(1, reporter).first { $0.integer(0) } ?? 0
    }

    /// A report as the viewer is shown it: who moderates a club and has not read up to the note that it is about is shown no
    /// words. What a club lets its moderators see ahead of time, it lets them see here.
    static func shown(_ report: Report, to viewer: Viewer, in connection: Connection) throws(SQLiteError) -> Report {
        guard report.about == .note, report.reporterKey != viewer.readerKey, viewer.role != .administrator,
            try connection.statement(isReached).bind(1, viewer.readerKey).bind(2, report.subject).first({ _ in true })
                == nil
        else { return report }
        var shown = report
        (shown.text, shown.copy) = (nil, nil)
        return shown
    }
}

extension ReadConnection {
    /// The reports that a viewer made and those that they may decide on, the last first: all, or open or closed ones, or own ones
    /// or others'.
    package func reports(
        for viewer: Viewer, areOpen: Bool?, areOwn: Bool?, after cursor: String?, limit: Int
    ) throws(LecternError) -> Page<Report> {
        func number(_ bool: Bool?) -> Int64? { bool.map { $0 ? 1 : 0 } }
        return try read { () throws(LecternError) in
            try page(ReportTable.seen, after: cursor, limit: limit) {
                $0.bind(1, viewer.readerKey).bind(2, viewer.role == .administrator ? 1 : 0)
                    .bind(3, number(areOpen)).bind(4, number(areOwn))
            }.map { report throws(LecternError) in
                try query { db throws(SQLiteError) in try ReportTable.shown(report, to: viewer, in: db) }
            }
        }
    }

    /// A report that a viewer made, or may decide on; nil for any other.
    package func report(_ id: ResourceID, for viewer: Viewer) throws(LecternError) -> Report? {
        try query { db throws(SQLiteError) in
            try ReportTable.find(id, for: viewer, in: db).map { report throws(SQLiteError) in
                try ReportTable.shown(report, to: viewer, in: db)
            }
        }
    }
}
