import Model

/// A change of a book's title or a reader's name that rows of clubs contain. Runs and meetings contain the title of
/// their book, standings and attendances the name of their reader.
///
/// A few rows are written in the commit of the change itself, more of them in slices between other batches. Rows that
/// are still to be written differ from the current title or name, so only the key of the book or reader is stored.
struct CopiedNameUpdate: Sendable {
    let kind: CopiedNameKind
    /// The key of the book or the reader.
    let subject: Int64

    /// The maximum number of rows of each table that one command writes.
    static let countMax = 100

    private static let runs = rows(of: ClubRunTable.self, "runs.book", "runs.title")
    private static let meetings = rows(of: MeetingTable.self, "meetings.book", "meetings.book_title")
    private static let standings = rows(of: StandingTable.self, "members.reader", "standings.name")
    private static let moderatorStandings = rows(
        of: ModeratorStandingTable.self, "members.reader", "moderator_standings.name")
    private static let attendances = rows(of: MeetingAttendanceTable.self, "members.reader", "attendances.name")

    /// Returns the query for the rows that still contain an old title of a book, or an old name of a reader.
    private static func rows<Stored: ResourceTable>(of _: Stored.Type, _ subject: String, _ label: String) -> SQLText {
        Stored.rows.sql("WHERE \(subject) = ?1 AND \(label) <> ?2 ORDER BY \(Stored.rows.name).key LIMIT \(countMax)")
    }

    static func exists(in connection: SQLiteConnection) throws(SQLiteError) -> Bool {
        try first(in: connection) != nil
    }

    static func first(in connection: SQLiteConnection) throws(SQLiteError) -> CopiedNameUpdate? {
        try connection.statement("SELECT kind, subject FROM copied_name_updates ORDER BY kind, subject LIMIT 1").first {
            row throws(SQLiteError) in
            CopiedNameUpdate(
                kind: try row.choice(0, "copied_name_updates.kind", key: row.integer(1)), subject: row.integer(1))
        }
    }

    /// The proposal that records that more rows are to be written.
    var insertion: UnloggedWrite {
        UnloggedWrite(
            "INSERT OR IGNORE INTO copied_name_updates (kind, subject) VALUES (?1, ?2)", .text(kind.rawValue),
            .integer(subject)
        )
    }

    /// The proposal that records that all rows are written.
    var deletion: UnloggedWrite {
        UnloggedWrite(
            "DELETE FROM copied_name_updates WHERE kind = ?1 AND subject = ?2", .text(kind.rawValue), .integer(subject))
    }

    /// Returns the current title of the book or name of the reader, or `nil` if it no longer exists.
    func label(in connection: SQLiteConnection) throws(SQLiteError) -> String? {
        switch kind {
        case .book: try BookTable.find(key: subject, in: connection)?.title
        case .reader: try ReaderTable.find(key: subject, in: connection)?.name
        }
    }

    /// Returns the writes for the next rows with an old title or name, and whether these are the last.
    func slice(as label: String, in connection: SQLiteConnection) throws(SQLiteError) -> (
        writes: [any CommandChange], isWhole: Bool
    ) {
        var (writes, isWhole): ([any CommandChange], Bool) = ([], true)
        func write<Stored: ResourceTable>(
            _: Stored.Type, _ sql: SQLText, _ set: (inout Stored.Row) -> Void
        ) throws(SQLiteError) {
            let rows = try connection.statement(sql).bind(subject, label).all(Stored.row)
            isWhole = isWhole && rows.count < Self.countMax
            writes += rows.map { Stored.update(of: $0, set) }
        }
        switch kind {
        case .book:
            try write(ClubRunTable.self, Self.runs) { $0.title = label }
            try write(MeetingTable.self, Self.meetings) { $0.bookTitle = label }
        case .reader:
            try write(StandingTable.self, Self.standings) { $0.name = label }
            try write(ModeratorStandingTable.self, Self.moderatorStandings) { $0.name = label }
            try write(MeetingAttendanceTable.self, Self.attendances) { $0.name = label }
        }
        return (writes, isWhole)
    }
}

/// The kind of copied name: the title of a book, or the name of a reader. The raw values are stored.
enum CopiedNameKind: String, Sendable { case book, reader }

extension Command {
    /// Writes the next rows of an update. The writer repeats it until there are none.
    static let continueCopiedNameUpdate = Command { state, _ throws(RequestError) in
        guard let next = try state.read(CopiedNameUpdate.first(in: state.db)) else { return CommandDecision([]) }
        guard let label = try state.read(next.label(in: state.db)) else {
            return CommandDecision([next.deletion])
        }
        let (writes, isWhole) = try state.read(next.slice(as: label, in: state.db))
        return CommandDecision(writes + (isWhole ? [next.deletion] : []))
    }
}

extension WriteState {
    /// Returns the writes that follow from a new title or name.
    func nameUpdate(_ kind: CopiedNameKind, _ subject: Int64, as label: String) throws(RequestError)
        -> [any CommandChange]
    {
        let nameUpdate = CopiedNameUpdate(kind: kind, subject: subject)
        let (writes, isWhole) = try read(nameUpdate.slice(as: label, in: db))
        return writes + (isWhole ? [] : [nameUpdate.insertion])
    }
}
