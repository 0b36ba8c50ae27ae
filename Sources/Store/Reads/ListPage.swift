import Model

/// A page of a list.
package struct ListPage<Item: Sendable>: Sendable {
    /// The items, at most the requested number.
    package let items: [Item]
    /// The cursor of the next page, or `nil` at the end.
    package let next: String?

    /// The suggested query for a search without results.
    package private(set) var suggestion: String?

    /// Returns a page with the non-nil results of the transformation.
    package func compactMap<Other>(_ transform: (Item) -> Other?) -> ListPage<Other> {
        ListPage<Other>(items: items.compactMap(transform), next: next)
    }

    /// Returns a page with the items of both pages and the second page's cursor.
    package func followed(by page: ListPage) -> ListPage { ListPage(items: items + page.items, next: page.next) }

    /// Returns a page with the transformed items.
    func map<Other>(_ transform: (Item) throws(RequestError) -> Other) throws(RequestError) -> ListPage<Other> {
        ListPage<Other>(items: try items.map(transform), next: next)
    }
}

extension ListPage {
    /// Creates the only page of a list.
    package init(whole items: [Item]) { self.init(items: items, next: nil) }

    /// Creates the page of an empty list.
    package init(suggestion: String?) { self.init(items: [], next: nil, suggestion: suggestion) }

    /// Creates a page from the rows of a statement for which `item` returns a value. When `isOver` returns `true`, the
    /// page ends at the last visited row. Without `isOver`, `item` must return a value for each row, and is not
    /// called for the row after the page. Resets the statement.
    ///
    /// - Parameter column: The column of the value by which the list is sorted. The first column is the row's key.
    init(
        of statement: SQLiteStatement, in list: ListPageCursor.List, by column: Int32 = 0, limit: Int,
        isOver: (() -> Bool)? = nil, _ item: (SQLiteStatement) throws(SQLiteError) -> Item?
    ) throws(SQLiteError) {
        defer { statement.reset() }
        func cursor() -> String {
            ListPageCursor(list, list.value(in: statement, at: column), key: statement.integer(0)).text
        }
        var items: [Item] = []
        items.reserveCapacity(min(limit, 50))
        var last: String?
        while try statement.step() {
            if items.count < limit {
                if let item = try item(statement) { items.append(item) }
                if items.count == limit { last = cursor() }
            } else if try isOver == nil ? true : item(statement) != nil {
                self.init(items: items, next: last)
                return
            }
            if isOver?() == true {
                self.init(items: items, next: cursor())
                return
            }
        }
        self.init(items: items, next: nil)
    }
}
