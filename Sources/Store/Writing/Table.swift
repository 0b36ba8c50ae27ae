import Model

/// The rows of one kind of resource: the one place that reads and writes them. What writes must be in a transaction.
protocol Table: SendableMetatype {
    associatedtype Row: Resource
    static var rows: Rows<Row> { get }
    /// Who may see the row.
    static func scope(of row: Row) -> Scope
    /// The row that has an id, or a key, and is there for anybody.
    static func find(_ id: ResourceID, in connection: Connection) throws(SQLiteError) -> Row?
    static func find(key: Int64, in connection: Connection) throws(SQLiteError) -> Row?
    /// Stores a new row and returns its key.
    static func insert(_ row: Row, in connection: Connection) throws(SQLiteError) -> Int64
    /// Writes over a row that is there, of which these fields have changed.
    static func update(_ row: Row, changed: FieldSet, in connection: Connection) throws(SQLiteError)
    /// Takes a row away, and all that is part of it.
    static func delete(_ row: Row, in connection: Connection) throws(SQLiteError)
    /// What ends, or becomes another, before a membership ends.
    static func ends(with member: Member, in connection: Connection) throws(SQLiteError) -> [any Proposal]
    /// The same before a club ends: what others than its members hear of. Everything else goes with it unsaid.
    static func ends(with club: Club, in connection: Connection) throws(SQLiteError) -> [any Proposal]
    /// Returns the row as an export has it, without the parts that another row's line has.
    static func exported(_ row: Row, in scope: ExportScope) -> Row
    /// Returns whether others than its owner can see a row that an account has.
    static func isSeenByOthers(_ row: Row) -> Bool
    /// Decides the changes that store an imported row, whose links are set.
    static func imported(
        _ row: Row, over old: Row?, _ state: borrowing WriteState, _ asker: Asker, _ context: ImportContext
    ) throws(LecternError) -> Decision
    /// Gives a row that is about to be written over an older one, or made, its version.
    static func stamp(_ row: inout Row, over old: Row?, _ seq: Int64)
    /// Hears what was applied; it may yet be rolled back.
    static func applied(_ write: Write<Self>, _ outcome: Outcome?, _ moment: Moment, _ readings: RecentReadings)
}

extension Table {
    static func row(_ statement: Statement) -> Row { rows.row(statement) }

    static func find(_ id: ResourceID, in connection: Connection) throws(SQLiteError) -> Row? {
        try rows.find(id, in: connection)
    }

    static func find(key: Int64, in connection: Connection) throws(SQLiteError) -> Row? {
        try rows.find(key: key, in: connection)
    }

    static func insert(_ row: Row, in connection: Connection) throws(SQLiteError) -> Int64 {
        try rows.insert(row, in: connection)
    }

    static func update(_ row: Row, changed: FieldSet, in connection: Connection) throws(SQLiteError) {
        try rows.update(row, changed: changed, in: connection)
    }

    static func delete(_ row: Row, in connection: Connection) throws(SQLiteError) {
        try rows.delete(row, in: connection)
    }

    static func ends(with member: Member, in connection: Connection) throws(SQLiteError) -> [any Proposal] { [] }

    static func ends(with club: Club, in connection: Connection) throws(SQLiteError) -> [any Proposal] { [] }

    /// The end of some rows.
    static func ends(of rows: [Row]) -> [any Proposal] { rows.map { Write<Self>(before: $0, after: nil) } }

    static func stamp(_ row: inout Row, over old: Row?, _ seq: Int64) { row.version = seq }

    static func applied(
        _ write: Write<Self>, _ outcome: Outcome?, _ moment: Moment, _ readings: RecentReadings
    ) {}
}
