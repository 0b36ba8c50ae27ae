package import Model

/// A list of rows of one kind, sorted by a number and the key.
package struct SortedTableList<Row: Resource>: Sendable {
    /// The order, which the list's streams have, too.
    package let order: ListOrder
    fileprivate let rows: TableMapping<Row>
    let texts: SQLVariants<[FieldCondition]>
    /// Reads a page. A closure, so that the code for the kind of row is compiled here, where it is specialized.
    private let read:
        @Sendable (Self, ReadConnection, Int64, ListFilter, String?, Int) throws(RequestError) -> ListPage<Row>

    /// Creates a list of the rows that satisfy a condition, which may bind `?1` to `?6`. A page can have further
    /// conditions on fields, which bind the parameters from `?10` on. The order is by a number or the key, or by a
    /// column of another table, which `joins` must contain.
    init(
        _ rows: TableMapping<Row>, joins: String? = nil, where condition: String = "1", by column: String? = nil,
        order: ListOrder = .oldestFirst
    ) {
        self.rows = rows
        self.order = order
        let (key, direction) = ("\(rows.name).key", order.isDescending ? " DESC" : "")
        let sorted =
            switch order.sort {
            case .instant(let name), .number(let name): rows.expression(of: name)
            default: column ?? key
            }
        texts = SQLVariants { conditions in
            """
            SELECT \(rows.columns), \(sorted) FROM \(joins ?? rows.joins) WHERE \(condition)\(Self.sql(conditions, rows))
                AND (\(sorted), \(key)) \(order.isDescending ? "<" : ">") (?7, ?8)
            ORDER BY \(sorted)\(direction), \(key)\(direction) LIMIT ?9
            """
        }
        read = { list, reads, owner, filter, cursor, limit throws(RequestError) in
            try reads.page(list, where: filter, after: cursor, limit: limit) { $0.bind(owner) }
        }
    }

    private static func sql(_ conditions: [FieldCondition], _ rows: TableMapping<Row>) -> String {
        conditions.enumerated().map { index, condition in
            let field = rows.expression(of: condition.name)
            // A flag is no parameter, because only then its partial index is used.
            return switch condition.value {
            case .integer(let flag): flag == 0 ? " AND NOT (\(field))" : " AND (\(field))"
            default: " AND \(field) = ?\(index + 10)"
            }
        }.joined()
    }

    /// Returns a page of the list of one owner, whose key is `?1`, or only of the rows that pass a filter.
    package func page(
        _ reads: ReadConnection, of owner: Int64, where filter: ListFilter = .all, after cursor: String?, limit: Int
    ) throws(RequestError) -> ListPage<Row> {
        try read(self, reads, owner, filter, cursor, limit)
    }
}

extension ReadConnection {
    /// Returns a page of a list, of all its rows or of those that satisfy `passes`.
    func page<Row: Resource>(
        _ list: SortedTableList<Row>, where filter: ListFilter = .all, after cursor: String?, limit: Int,
        _ bind: (SQLiteStatement) -> Void = { _ in }, passes: ((Row) -> Bool)? = nil
    ) throws(RequestError) -> ListPage<Row> {
        let cursors = ListPageCursor.List(kind: Row.kind, integers: 1...1)
        let cursor = try ListPageCursor(cursor, of: cursors)
        var time = PageTimeLimit(microsecondsMax: pageMicrosecondsMax, rowsMin: 1)
        return try query { db throws(SQLiteError) in
            let isDescending = list.order.isDescending
            let conditions = filter.conditions
            let statement = try db.statement(list.texts, conditions.map(\.shape))
            bind(
                statement.bind(at: 7, cursor?.value.integer ?? (isDescending ? .max : .min)).bind(
                    at: 8, cursor?.key ?? (isDescending ? .max : -1)
                )
                .bind(at: 9, passes == nil ? Int64(limit + 1) : -1))
            for (index, condition) in conditions.enumerated() { statement.bind(at: Int32(index) + 10, condition.value) }
            return try ListPage(
                of: statement, in: cursors, by: list.rows.width, limit: limit,
                isOver: passes.map { _ in { time.isOver } }
            ) { row throws(SQLiteError) in
                let item = try list.rows.row(row)
                return passes?(item) ?? true ? item : nil
            }
        }
    }
}
