import Model

/// The SQL of a resource's table, derived from its fields, and the conversion between rows and values.
struct TableMapping<Row: Resource>: Sendable {
    /// The source of a new row's key.
    enum KeySource: Sendable {
        /// SQLite assigns the key.
        case given
        /// The key is the version in which the row was created.
        case version
        /// The new resource already contains its key. For example, settings have the key of their reader.
        case own
    }

    /// The times that the rows store.
    enum Times: Sendable { case none, created, both }

    let name: String
    let joins: String
    /// The condition for rows whose resource exists. Some rows are kept after their resource is deleted.
    let isThere: String
    /// The columns that `row` reads, in this order.
    let columns: String
    /// The number of columns that `row` reads.
    let width: Int32
    let times: Times
    private let key: KeySource
    private let puts: [@Sendable (inout Row, DatabaseValue) -> Bool]
    /// The names of the columns from which `puts` sets the fields of a row, in the same order.
    private let readColumns: [String]
    private let inserted: [DatabaseColumn<Row>]
    private let cells: [@Sendable (Row) -> DatabaseValue]
    /// The columns that can change, each with its field. A column without a field is written with every update.
    private let changing: [(column: DatabaseColumn<Row>, field: FieldSet?)]
    /// The query for the row with the id `?1`.
    let byID: SQLText
    private let counts: SQLVariants<SQLLiteral>
    /// The queries for the rows with the value `?1` in a column, oldest first.
    let ofColumn: SQLVariants<SQLLiteral>
    /// The queries for the rows that satisfy a condition, which may end with their order.
    let matching: SQLVariants<SQLLiteral>
    private let identityColumns: [String]
    /// The expression for a row's version.
    let version: String
    private let insertion: SQLText
    private let update: SQLVariants<FieldSet>
    private let deletion: SQLText

    /// Creates the SQL for a table. `joins` are the table and those that its joined columns need: without it, the tables
    /// to which its links refer. `changed` is the column for the version of an updated row, if `version` keeps the one
    /// in which it was created.
    @_semantics("optimize.sil.specialize.generic.never")
    init(
        _ name: String, joins: String? = nil, key: KeySource = .given, version: String = "version",
        changed: String? = nil,
        times: Times = .both, isThere: String = "1"
    ) {
        let (all, joins) = (Row.fields.columns, joins ?? Self.joins(name))
        self.name = name
        self.joins = joins
        self.isThere = isThere
        self.times = times
        self.key = key
        let read = all.filter(\.isRead)
        puts = read.map(\.put)
        readColumns = read.map(\.name)
        inserted = all.filter { $0.use != .joined }
        cells = inserted.map(\.cell)
        let changing = zip(all, Row.fields.fieldOfColumn).filter { $0.0.use == .changing }.map {
            (column: $0, field: $1.map { FieldSet(index: $0) })
        }
        self.changing = changing
        self.version = changed.map { "ifnull(\(name).\($0), \(name).\(version))" } ?? "\(name).\(version)"
        let identity = [
            "\(name).key", "\(name).id", self.version, times == .none ? "NULL" : "\(name).created_at",
            times == .both ? "\(name).updated_at" : "NULL",
        ]
        columns = (identity + read.map { Self.expression(of: $0, in: name) }).joined(separator: ", ")
        width = Int32(identity.count + read.count)
        identityColumns =
            ["key", "id", version] + (changed.map { [$0] } ?? []) + (times != .none ? ["created_at"] : [])
            + (times == .both ? ["updated_at"] : [])
        byID = SQLText("SELECT \(columns) FROM \(joins) WHERE \(name).id = ?1 AND \(isThere)")
        counts = SQLVariants { column in "SELECT count(*) FROM \(name) WHERE \(column.text) = ?1" }
        let rows = "SELECT \(columns) FROM \(joins)"
        ofColumn = SQLVariants { column in "\(rows) WHERE \(name).\(column.text) = ?1 ORDER BY \(name).key" }
        matching = SQLVariants { condition in "\(rows) WHERE \(condition.text)" }
        insertion = SQLText(Self.insertion(name, key, version, times, inserted.map(\.name)))
        update = SQLVariants { changed in
            let columns = changing.filter { $0.field.map(changed.contains) ?? true }.enumerated().map {
                "\($1.column.name) = ?\($0 + 4)"
            }
            return "UPDATE \(name) SET \((["\(version) = ?1", "updated_at = ?2"] + columns).joined(separator: ", "))"
                + " WHERE key = ?3"
        }
        deletion = SQLText("DELETE FROM \(name) WHERE key = ?1")
    }

    /// Returns the table, joined with those to which the links refer.
    private static func joins(_ name: String) -> String {
        var (inner, outer) = (name, "")
        for link in Row.fields.links {
            let table = link.id.name.prefix { $0 != "." }
            let join = " JOIN \(table) ON \(table).key = \(name).\(link.key.name)"
            var blank = Row(CommonResourceFields(id: .zero))
            let isOptional = link.key.put(&blank, .null)
            if isOptional { outer += " LEFT" + join } else { inner += join }
        }
        return inner + outer
    }

    private static func insertion(
        _ name: String, _ key: KeySource, _ version: String, _ times: Times, _ columns: [String]
    ) -> String {
        var cells = [("id", "?1"), (version, "?2")]
        switch key {
        case .given: break
        case .version: if version != "key" { cells.append(("key", "?2")) }
        case .own: cells.append(("key", "?3"))
        }
        if times != .none { cells.append(("created_at", "?4")) }
        if times == .both { cells.append(("updated_at", "?5")) }
        for (index, column) in columns.enumerated() { cells.append((column, "?\(index + 6)")) }
        return """
            INSERT INTO \(name) (\(cells.map(\.0).joined(separator: ", "))) \
            VALUES (\(cells.map(\.1).joined(separator: ", ")))
            """
    }

    private static func expression(of column: DatabaseColumn<Row>, in table: String) -> String {
        column.use == .joined ? column.name : "\(table).\(column.name)"
    }

    /// Returns the expression for the id or a field: of a link, for its id. An unknown name is a programming error.
    func expression(of field: String) -> String {
        if field == "id" { return "\(name).id" }
        guard let column = Row.fields.named.first(where: { $0.name?.description == field })?.columns.first else {
            preconditionFailure("\(name) stores no field \(field)")
        }
        return Self.expression(of: column, in: name)
    }

    /// The columns of the table itself.
    var ownColumns: Set<String> { Set(identityColumns + inserted.map(\.name)) }

    /// Returns a query whose rows `row` can read.
    func sql(_ condition: String) -> SQLText { SQLText("SELECT \(columns) FROM \(joins) \(condition)") }

    /// Returns the resource of a row that begins with `columns`.
    ///
    /// - Throws: An error that names the table, the column and the key of a cell that is no value of its field. A STRICT table has
    ///   such cells only in a damaged file, or after an edit by hand.
    func row(_ statement: SQLiteStatement) throws(SQLiteError) -> Row {
        var row = Row(
            CommonResourceFields(
                key: statement.integer(0), id: statement.id(1), version: statement.integer(2),
                createdAt: statement.optionalInstant(3), updatedAt: statement.optionalInstant(4)))
        var index: Int32 = 5
        for put in puts {
            guard put(&row, statement.cell(index)) else {
                throw .undecodable("\(name).\(readColumns[Int(index) - 5])", key: row.key)
            }
            index += 1
        }
        return row
    }

    /// Returns a Boolean value indicating whether a row has the id, including rows that are no longer visible to
    /// anyone.
    func has(_ id: ResourceID, in connection: SQLiteConnection) throws(SQLiteError) -> Bool {
        try count(of: "id", id, in: connection) > 0
    }

    /// Returns the number of rows with a value in a column of the table.
    func count(
        of column: StaticString, _ value: some SQLBindable, in connection: SQLiteConnection
    ) throws(SQLiteError) -> Int64 {
        try connection.statement(counts, SQLLiteral(column)).bind(value).number() ?? 0
    }

    /// Returns the key of the next row of a table with `AUTOINCREMENT`. The command that creates the row needs it for
    /// rows that refer to it.
    func nextKey(in connection: SQLiteConnection) throws(SQLiteError) -> Int64 {
        (try connection.statement("SELECT seq FROM sqlite_sequence WHERE name = ?1").bind(name).number() ?? 0) + 1
    }

    /// Stores a new row and returns its key.
    func insert(_ row: Row, in connection: SQLiteConnection) throws(SQLiteError) -> Int64 {
        let statement = try connection.statement(insertion).bind(row.id, row.version)
        if case .own = key { statement.bind(at: 3, row.key) }
        if let created = row.createdAt { statement.bind(at: 4, created) }
        if let updated = row.updatedAt { statement.bind(at: 5, updated) }
        for index in cells.indices { statement.bind(at: Int32(index) + 6, cells[index](row)) }
        try statement.run()
        switch key {
        case .given: return connection.lastInsertedKey
        case .version: return row.version
        case .own: return row.key
        }
    }

    /// The maximum number of changed fields that have an `UPDATE` of their own. With more, all fields are written,
    /// which limits the number of statements.
    private static var fieldsMax: Int { 2 }

    /// Updates the `changed` fields of an existing row, and the columns that are derived from other fields. Unless many
    /// fields changed, other columns are not written, so their indices are not touched.
    func update(_ row: Row, changed: FieldSet, in connection: SQLiteConnection) throws(SQLiteError) {
        let all = FieldSet(rawValue: .max)
        let written = changed.rawValue.nonzeroBitCount <= Self.fieldsMax ? changed : all
        let statement = try connection.statement(update, written).bind(row.version, row.updatedAt, row.key)
        var index: Int32 = 4
        for (column, field) in changing where field.map(written.contains) ?? true {
            statement.bind(at: index, column.cell(row))
            index += 1
        }
        try statement.run()
    }

    func delete(_ row: Row, in connection: SQLiteConnection) throws(SQLiteError) {
        try connection.statement(deletion).bind(row.key).run()
    }
}
