import Model

/// A list of rows of one kind, sorted by a number and the key, ascending or descending.
struct SortedTableList<Stored: ResourceTable>: Sendable {
    fileprivate let sql: SQLText
    fileprivate let cursors: ListPageCursor.List
    fileprivate let isDescending: Bool

    /// Creates a list of the rows that satisfy a condition, which may bind `?1` to `?6`. It is sorted by a column or,
    /// without one, by the key.
    init(where condition: String = "1", by column: String? = nil, isDescending: Bool = false) {
        let key = "\(Stored.rows.name).key"
        let (order, direction) = (column ?? key, isDescending ? " DESC" : "")
        sql = SQLText(
            """
            SELECT \(Stored.rows.columns), \(order) FROM \(Stored.rows.joins) WHERE \(condition)
                AND (\(order), \(key)) \(isDescending ? "<" : ">") (?7, ?8)
            ORDER BY \(order)\(direction), \(key)\(direction) LIMIT ?9
            """)
        cursors = ListPageCursor.List(kind: Stored.Row.kind, sort: .integer)
        self.isDescending = isDescending
    }
}

extension ReadConnection {
    /// Returns a page of a list, of all its rows or of those that satisfy `passes`.
    func page<Stored: ResourceTable>(
        _ list: SortedTableList<Stored>, after cursor: String?, limit: Int,
        _ bind: (SQLiteStatement) -> Void = { _ in }, passes: ((Stored.Row) -> Bool)? = nil
    ) throws(RequestError) -> ListPage<Stored.Row> {
        let cursor = try ListPageCursor(cursor, of: list.cursors)
        var time = PageTimeLimit(microsecondsMax: pageMicrosecondsMax, rowsMin: 1)
        return try query { db throws(SQLiteError) in
            var value = list.isDescending ? Int64.max : .min
            if case .integer(let number)? = cursor?.value { value = number }
            let statement = try db.statement(list.sql)
            bind(
                statement.bind(at: 7, value).bind(at: 8, cursor?.key ?? (list.isDescending ? .max : -1))
                    .bind(at: 9, passes == nil ? Int64(limit + 1) : -1))
            return try ListPage(of: statement, limit: limit, isOver: { passes != nil && time.isOver }) {
                row throws(SQLiteError) in
                let item = try Stored.row(row)
                return passes?(item) ?? true ? item : nil
            } cursor: {
                ListPageCursor(list.cursors, .integer($0.integer(Stored.rows.width)), key: $0.integer(0))
            }
        }
    }
}
