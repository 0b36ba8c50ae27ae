package import Model

/// A row of a window: what is sent of it, and where it stands.
package struct WindowRow: Sendable {
    package let id: ResourceID
    package let place: ListPlace
    let bytes: [UInt8]
    /// Changes up to here are in it.
    let asOf: Int64

    package init(_ id: ResourceID, at place: ListPlace, bytes: [UInt8], asOf: Int64) {
        (self.id, self.place, self.bytes, self.asOf) = (id, place, bytes, asOf)
    }
}

/// Rows of a list in its order, as one snapshot of the database has them: the first ones, or those after a place.
package struct WindowRows: Sendable {
    let rows: [WindowRow]
    /// Up to where these are all that there are; nil where nothing comes after them.
    let horizon: ListPlace?
    /// The last change that is in them.
    let asOf: Int64

    package init(_ rows: [WindowRow], horizon: ListPlace?, asOf: Int64) {
        (self.rows, self.horizon, self.asOf) = (rows, horizon, asOf)
    }
}

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
