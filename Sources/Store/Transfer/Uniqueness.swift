import Model

/// Columns in which no two rows of a table are equal, beside their ids. An import looks them up before the database refuses a row,
/// because a refusal also takes back what others wrote in the same transaction.
struct Uniqueness: Sendable, Equatable {
    let columns: [String]
    /// The state of the rows that this is about; `nil` for all.
    let state: String?

    @inline(never)
    init(_ columns: String..., inState state: String? = nil) { (self.columns, self.state) = (columns, state) }
}

/// The search for other rows of a resource that are equal to a row where they must not be.
struct DuplicateCheck<Row: Resource>: Sendable {
    /// The queries, whose parameters are the row's values in some columns, and then its id.
    private let all: [(sql: SQL, columns: [Column<Row>], error: LecternError)]

    @_semantics("optimize.sil.specialize.generic.never")
    init(_ table: String, _ unique: [Uniqueness]) {
        all = unique.map { unique in
            let names = unique.columns + (unique.state == nil ? [] : ["state"])
            let columns = names.compactMap { name in Row.fields.columns.first { $0.name == name } }
            var conditions = names.enumerated().map { "\($1) = ?\($0 + 1)" } + ["id <> ?\(names.count + 1)"]
            if let state = unique.state { conditions.append("state = '\(state)'") }
            let members = unique.columns.map { column in
                Row.fields.links.first { $0.key.name == column }?.name.description ?? column
            }
            return (
                SQL("SELECT 1 FROM \(table) WHERE \(conditions.joined(separator: " AND "))"), columns,
                .duplicate(members)
            )
        }
    }

    /// Throws if there is an equal row.
    @_semantics("optimize.sil.specialize.generic.never")
    func demandNone(of row: Row, _ state: borrowing WriteState) throws(LecternError) {
        for check in all {
            let exists = try state.query { db throws(SQLiteError) in
                let statement = try db.statement(check.sql)
                for (index, column) in check.columns.enumerated() {
                    statement.bind(Int32(index) + 1, column.cell(row))
                }
                return try statement.bind(Int32(check.columns.count) + 1, row.id).first { _ in true } ?? false
            }
            if exists { throw check.error }
        }
    }
}

extension LecternError {
    /// An equal row exists.
    static func duplicate(_ members: [String]) -> LecternError {
        .refused(
            .importDiffers,
            "Another is there already with the same \(members.joined(separator: " and ")), and there may be only one.")
    }
}
