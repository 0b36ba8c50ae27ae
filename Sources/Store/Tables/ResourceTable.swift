import Model

/// The access to the rows of one kind of resource, for reading and writing. Writes need an open transaction.
///
/// The defaults read and write the table's columns. A table overrides one where other rows change with its own.
protocol ResourceTable: SendableMetatype {
    associatedtype Row: Resource
    static var rows: TableMapping<Row> { get }
    /// Returns the scope whose readers may see the row.
    static func scope(of row: Row) -> ChangeScope
    /// Returns the scope of the copies of the row's changes, or `nil` if only the readers of its own scope receive them.
    static func scopeOfCopy(of row: Row) -> ChangeScope?
    /// Returns the row with an id or a key, whoever may see it.
    static func find(_ id: ResourceID, in connection: SQLiteConnection) throws(SQLiteError) -> Row?
    static func find(key: Int64, in connection: SQLiteConnection) throws(SQLiteError) -> Row?
    /// Returns the row with an id if the actor may see it.
    static func seen(
        _ id: ResourceID, by actor: CommandActor, _ state: borrowing WriteState
    ) throws(RequestError) -> Row?
    /// Stores a new row and returns its key.
    static func insert(_ row: Row, in connection: SQLiteConnection) throws(SQLiteError) -> Int64
    /// Updates an existing row, of which these fields have changed.
    static func update(_ row: Row, changed: FieldSet, in connection: SQLiteConnection) throws(SQLiteError)
    /// Deletes a row and everything that is part of it.
    static func delete(_ row: Row, in connection: SQLiteConnection) throws(SQLiteError)
    /// The rows that change at the end of other resources. There is no default, because the end of a club deletes
    /// forgotten rows without an event.
    static var endings: [ResourceEnding] { get }
    /// Sets the version of a new or updated row.
    static func stamp(_ row: inout Row, over old: Row?, _ seq: Int64)
}

extension ResourceTable {
    static var kind: ResourceKind { Row.kind }

    static func scopeOfCopy(of row: Row) -> ChangeScope? { nil }

    static func row(_ statement: SQLiteStatement) throws(SQLiteError) -> Row { try rows.row(statement) }

    static func find(_ id: ResourceID, in connection: SQLiteConnection) throws(SQLiteError) -> Row? {
        try connection.statement(rows.byID).bind(id).first(row)
    }

    static func find(key: Int64, in connection: SQLiteConnection) throws(SQLiteError) -> Row? {
        try connection.statement(rows.ofColumn, SQLLiteral("key")).bind(key).first(row)
    }

    /// Returns the representation of the resource with an id, or `nil`.
    static func representation(of id: ResourceID, in connection: SQLiteConnection) throws(SQLiteError) -> [UInt8]? {
        try find(id, in: connection)?.encoded()
    }

    /// Returns the rows with a value in a column of the table, oldest first.
    static func all(
        of column: StaticString, _ value: some SQLBindable, in connection: SQLiteConnection
    ) throws(SQLiteError) -> [Row] {
        try connection.statement(rows.ofColumn, SQLLiteral(column)).bind(value).all(row)
    }

    /// Returns the statement for the rows that satisfy a condition, which may end with their order.
    static func matching(
        _ condition: StaticString, in connection: SQLiteConnection
    ) throws(SQLiteError) -> SQLiteStatement {
        try connection.statement(rows.matching, SQLLiteral(condition))
    }

    /// Returns the row with an id if it belongs to a club.
    static func find(_ id: ResourceID, of club: Int64, in connection: SQLiteConnection) throws(SQLiteError) -> Row? {
        try find(id, in: connection).flatMap { scope(of: $0).club == club ? $0 : nil }
    }

    static func insert(_ row: Row, in connection: SQLiteConnection) throws(SQLiteError) -> Int64 {
        try rows.insert(row, in: connection)
    }

    static func update(_ row: Row, changed: FieldSet, in connection: SQLiteConnection) throws(SQLiteError) {
        try rows.update(row, changed: changed, in: connection)
    }

    static func delete(_ row: Row, in connection: SQLiteConnection) throws(SQLiteError) {
        try rows.delete(row, in: connection)
    }

    /// Returns the change that updates a row.
    static func update(
        of row: Row, keepsTimes: Bool = false, _ change: (inout Row) -> Void
    ) -> RowWrite<Self> {
        var new = row
        change(&new)
        return RowWrite<Self>(before: row, after: new, keepsTimes: keepsTimes)
    }

    /// Returns the changes that delete the given rows.
    static func deletions(of rows: [Row]) -> [any CommandChange] { rows.map { RowWrite<Self>(before: $0, after: nil) } }

    static func stamp(_ row: inout Row, over old: Row?, _ seq: Int64) { row.version = seq }
}
