import Model

/// A page of a list.
package struct Page<Item: Sendable>: Sendable {
    /// At most as many as were asked for.
    package let items: [Item]
    /// What gives the next page; nil at the end.
    package let next: String?

    /// What to ask instead of a search that nothing passes.
    package private(set) var suggestion: String?

    init(items: [Item], next: String?) {
        self.items = items
        self.next = next
    }

    /// The page of a list that has only one.
    package init(whole items: [Item]) { self.init(items: items, next: nil) }

    /// The page of a list that has nothing.
    package init(suggestion: String?) {
        self.init(items: [], next: nil)
        self.suggestion = suggestion
    }

    /// The page of what is made of its items.
    func map<Other>(_ transform: (Item) throws(LecternError) -> Other) throws(LecternError) -> Page<Other> {
        Page<Other>(items: try items.map(transform), next: next)
    }
}

extension Page {
    /// The page of a statement's rows, of which there is at least one more than the limit, if there are so many. A row without
    /// an item does not pass, and when it `isOver` the page ends at the row that was looked at last. Resets the statement.
    init(
        of statement: Statement, limit: Int, isOver: () -> Bool = { false },
        _ item: (Statement) throws(SQLiteError) -> Item?,
        cursor: (Statement) -> PageCursor
    ) throws(SQLiteError) {
        defer { statement.reset() }
        var items: [Item] = []
        var last: String?
        while try statement.step() {
            if let item = try item(statement) {
                if items.count >= limit {
                    self.init(items: items, next: last)
                    return
                }
                items.append(item)
                if items.count == limit { last = cursor(statement).text }
            }
            if isOver() {
                self.init(items: items, next: cursor(statement).text)
                return
            }
        }
        self.init(items: items, next: nil)
    }
}
