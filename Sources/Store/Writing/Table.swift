import Model

/// The rows of one kind of resource: the one place that reads and writes them. What writes must be in a transaction.
protocol Table {
    associatedtype Row: Resource
    /// Stores a new row and returns its key.
    static func insert(_ row: Row, in connection: Connection) throws(SQLiteError) -> Int64
    /// Writes over a row that is there, of which these fields have changed.
    static func update(_ row: Row, changed: FieldSet, in connection: Connection) throws(SQLiteError)
    /// Takes a row away, and all that is part of it.
    static func delete(_ row: Row, in connection: Connection) throws(SQLiteError)
    /// Who may see the row, whose key is given.
    static func scope(of row: Row, key: Int64, in connection: Connection) throws(SQLiteError) -> Scope
}

extension Statement {
    /// The first row, made into something; nil without one. Resets.
    func first<Row>(_ make: (Statement) -> Row) throws(SQLiteError) -> Row? {
        defer { reset() }
        return try step() ? make(self) : nil
    }

    /// All rows, each made into something. Resets.
    func all<Row>(_ make: (Statement) -> Row) throws(SQLiteError) -> [Row] {
        defer { reset() }
        var rows: [Row] = []
        while try step() { rows.append(make(self)) }
        return rows
    }
}
