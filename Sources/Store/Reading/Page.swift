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

    /// The page of those of its items of which something is made.
    package func compactMap<Other>(_ transform: (Item) -> Other?) -> Page<Other> {
        Page<Other>(items: items.compactMap(transform), next: next)
    }

    /// The two together.
    package func followed(by page: Page) -> Page { Page(items: items + page.items, next: page.next) }

    /// The page of what is made of its items.
    func map<Other>(_ transform: (Item) throws(LecternError) -> Other) throws(LecternError) -> Page<Other> {
        Page<Other>(items: try items.map(transform), next: next)
    }
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
        self.init(items: items, next: next)
    }

    /// The page of those of a statement's rows that pass, which are those with an item. When it `isOver` the page ends at the row
    /// that was looked at last. Resets the statement.
    init(
        of statement: Statement, limit: Int, isOver: () -> Bool,
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
