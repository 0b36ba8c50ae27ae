package import Model

/// Which first rows of a list a window shows.
package struct WindowShape: Hashable, Sendable {
    package let filter: ListFilter
    package let order: ListOrder
    package let limit: Int
    /// The key of the only reader who sees them so; nil where all see the same.
    package let reader: Int64?

    package init(_ filter: ListFilter, _ order: ListOrder, limit: Int, reader: Int64? = nil) {
        (self.filter, self.order, self.limit, self.reader) = (filter, order, limit, reader)
    }
}
