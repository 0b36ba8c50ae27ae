import Model

/// The columns in which no two rows of a table are equal, beside their ids. An import checks them before writing,
/// because an error of the database would roll back other commands of the transaction.
struct UniqueColumns: Sendable, Equatable {
    let columns: [String]
    /// The state in which no two rows may be equal in these columns, or `nil` for every state.
    let state: String?

    @inline(never)
    init(_ columns: String..., inState state: String? = nil) { (self.columns, self.state) = (columns, state) }

    /// Returns the query for a row with the values `?1` and following. If `exceptID` is true, the last parameter is the
    /// id of a row to leave out.
    func duplicateQuery(in table: String, exceptID: Bool) -> SQLText {
        var conditions = columns.enumerated().map { "\($1) = ?\($0 + 1)" }
        if let state { conditions.append("state = '\(state)'") }
        if exceptID { conditions.append("id <> ?\(columns.count + 1)") }
        return SQLText("SELECT 1 FROM \(table) WHERE \(conditions.joined(separator: " AND "))")
    }
}

/// The check for rows with equal unique columns.
struct ImportDuplicateCheck<Row: Resource>: Sendable {
    private struct DuplicateRowQuery: Sendable {
        let sql: SQLText
        let columns: [DatabaseColumn<Row>]
        let state: String?
        /// The names of the columns in lines.
        let names: String
    }

    private let all: [DuplicateRowQuery]
    private let stateColumn = Row.fields.columns.first { $0.name == "state" }

    @_semantics("optimize.sil.specialize.generic.never")
    init(_ table: String, _ unique: [UniqueColumns]) {
        all = unique.map { unique in
            let columns = unique.columns.compactMap { name in Row.fields.columns.first { $0.name == name } }
            let names = unique.columns.map { column in
                Row.fields.links.first { $0.key.name == column }?.name.description ?? column
            }
            return DuplicateRowQuery(
                sql: unique.duplicateQuery(in: table, exceptID: true), columns: columns, state: unique.state,
                names: names.joined(separator: " and "))
        }
    }

    @_semantics("optimize.sil.specialize.generic.never")
    private func isIn(_ state: String, _ row: Row) -> Bool {
        guard case .text(let given)? = stateColumn?.cell(row) else { return false }
        return given.utf8.elementsEqual(state.utf8)
    }

    /// Throws if another row prevents writing a row.
    @_semantics("optimize.sil.specialize.generic.never")
    func demandNone(of row: Row, _ state: borrowing WriteState) throws(RequestError) {
        for duplicateQuery in all {
            guard duplicateQuery.state.map({ isIn($0, row) }) ?? true else { continue }
            let isThere = try state.query { db throws(SQLiteError) in
                let statement = try db.statement(duplicateQuery.sql)
                for (index, column) in duplicateQuery.columns.enumerated() {
                    statement.bind(Int32(index) + 1, column.cell(row))
                }
                return try statement.bind(Int32(duplicateQuery.columns.count) + 1, row.id).first { _ in true } ?? false
            }
            if isThere { throw .duplicateRow(in: duplicateQuery.names) }
        }
    }
}

extension RequestError {
    /// Returns the error for a second row where there may be only one.
    static func duplicateRow(in names: String) -> RequestError {
        .refused(.importDiffers, "Another row has the same \(names). There can be only one.")
    }
}
