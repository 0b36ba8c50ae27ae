/// A page of a list.
package struct Page<Item: Sendable>: Sendable {
    /// At most as many as were asked for.
    package let items: [Item]
    /// What gives the next page; nil at the end.
    package let next: String?

    init(items: [Item], next: String?) {
        self.items = items
        self.next = next
    }

    /// The page of a list that has only one.
    package init(whole items: [Item]) { self.init(items: items, next: nil) }
}

extension Page {
    /// The page of a statement's rows, which was asked for one row more than the limit. Resets the statement.
    init(
        of statement: Statement, limit: Int, _ item: (Statement) throws(SQLiteError) -> Item,
        cursor: (Statement) -> PageCursor
    ) throws(SQLiteError) {
        defer { statement.reset() }
        var items: [Item] = []
        var last: String?
        var next: String?
        while try statement.step() {
            if items.count >= limit {
                next = last
                break
            }
            items.append(try item(statement))
            if items.count == limit { last = cursor(statement).text }
        }
        self.items = items
        self.next = next
    }
}
