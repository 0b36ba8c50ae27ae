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
    /// Whether everybody may see such rows, whoever made them.
    static var isShared: Bool { get }
    /// Whether an import that is to replace may write over a row that is there.
    static var isReplaceable: Bool { get }
    /// Whether an import has anything to say of a row that is there.
    static func isBrought(over old: Row, _ bringing: Bringing) -> Bool
    /// What is to be written so that a row of another house, whose links have been set, is there.
    static func brought(
        _ row: Row, over old: Row?, _ state: borrowing WriteState, _ asker: Asker, _ bringing: Bringing
    ) throws(LecternError) -> Brought
    /// A row as its line of an export has it, without what another line says.
    static func exported(_ row: Row) -> Row
    /// Takes away from a row of an account what is a club's, and keeps it beside.
    static func separate(
        _ row: inout Row, _ state: borrowing WriteState, _ bringing: Bringing
    ) throws(LecternError) -> [any Proposal]
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
