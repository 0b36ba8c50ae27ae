package import Model

/// A row of a window: its JSON and its place.
package struct WindowRow: Sendable {
    package let id: ResourceID
    package let place: ListPlace
    let bytes: [UInt8]
    /// The last change that the row includes.
    let asOf: Int64

    package init(_ id: ResourceID, at place: ListPlace, bytes: [UInt8], asOf: Int64) {
        (self.id, self.place, self.bytes, self.asOf) = (id, place, bytes, asOf)
    }
}

/// Rows of a list in its order, from one snapshot of the database: the first ones, or those after a place.
package struct WindowRows: Sendable {
    let rows: [WindowRow]
    /// The place up to which no row is missing, or `nil` if no row comes after them.
    let horizon: ListPlace?
    /// The last change that the rows include.
    let asOf: Int64

    package init(_ rows: [WindowRow], horizon: ListPlace?, asOf: Int64) {
        (self.rows, self.horizon, self.asOf) = (rows, horizon, asOf)
    }
}

/// The filter, order and limit of a window.
package struct WindowShape: Hashable, Sendable {
    package let filter: ListFilter
    package let order: ListOrder
    package let limit: Int
    /// The key of the only reader who sees these rows, or `nil` if all see the same.
    package let reader: Int64?

    package init(_ filter: ListFilter, _ order: ListOrder, limit: Int, reader: Int64? = nil) {
        (self.filter, self.order, self.limit, self.reader) = (filter, order, limit, reader)
    }
}
