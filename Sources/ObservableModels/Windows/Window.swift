package import Model

/// The first rows of a list in its order, up to a limit, and some spare rows after them to replace removed ones.
///
/// A window takes each change of a row and returns the events for the rows shown, without reading the list again. Rows
/// after the horizon are read only when nearly all spare rows are used up. They may include changes that were not
/// published yet: these then have no effect.
package struct Window {
    package let order: ListOrder
    package let limit: Int
    /// The known rows, in the list's order: all rows up to the horizon.
    private(set) var rows: [WindowRow]
    /// The places of the known rows.
    private var places: [ResourceID: ListPlace]
    /// The place up to which the list is known, or `nil` for its end.
    private(set) var horizon: ListPlace?
    /// The cursors from which a subscriber cannot continue, because rows of the window were read later.
    private var ahead: Range<Int64>

    /// Reads rows of a list: the first ones, or those after a place.
    package typealias Source = (_ after: ListPlace?, _ count: Int) throws(RequestError) -> WindowRows

    package init(_ first: WindowRows, order: ListOrder, limit: Int) {
        self.order = order
        self.limit = limit
        rows = first.rows
        horizon = first.horizon
        ahead = 0..<first.asOf
        places = Dictionary(first.rows.map { ($0.id, $0.place) }) { $1 }
    }

    /// Returns the number of spare rows after those shown.
    private static func reserve(limit: Int) -> Int { min(max(limit, 8), 64) }

    /// Returns the number of rows to read at first.
    static func capacity(limit: Int) -> Int { limit + reserve(limit: limit) }

    /// The maximum number of rows that one commit may remove. Beyond it, a new snapshot is made.
    private static let removalsMax = 256

    /// Returns the number of rows to read after the horizon so that `count` rows may be removed. It is 0 if there are
    /// enough.
    func lacks(beforeLosing count: Int) -> Int {
        guard horizon != nil, count <= Self.removalsMax, rows.count < limit + count else { return 0 }
        return Self.capacity(limit: limit) + count - rows.count
    }

    /// Returns the number of rows to read after the horizon, before a commit that changes these rows and `others`
    /// unknown ones.
    func lacks(beforeLosing changed: [ResourceID], besides others: Int) -> Int {
        // Mostly there are enough rows, whichever the changed ones are.
        guard lacks(beforeLosing: min(changed.count, rows.count) + others) > 0 || changed.count > Self.removalsMax
        else {
            return 0
        }
        return lacks(beforeLosing: changed.count { holds($0) } + others)
    }

    /// A Boolean value indicating whether rows to show are unknown.
    var isShort: Bool { rows.count < limit && horizon != nil }

    /// Returns whether a subscriber that has everything up to a change can continue from the rows shown.
    func serves(from cursor: Int64) -> Bool { !ahead.contains(cursor) }

    /// Appends rows after the horizon, before a change is published.
    mutating func extend(_ next: WindowRows, before seq: Int64) {
        if next.asOf >= seq { ahead = (ahead.upperBound > seq ? ahead.lowerBound : seq)..<next.asOf }
        for row in next.rows where places[row.id] == nil {
            // A row known at another place moves there with a change that is still to be published.
            rows.append(row)
            places[row.id] = row.place
        }
        horizon = next.horizon
    }

    /// Removes rows that are not needed, after a commit.
    mutating func trim() {
        let capacity = Self.capacity(limit: limit)
        guard rows.count > capacity else { return }
        for row in rows[capacity...] { places[row.id] = nil }
        rows.removeSubrange(capacity...)
        horizon = rows[capacity - 1].place
    }

    func holds(_ id: ResourceID) -> Bool { places[id] != nil }

    /// Applies a change of a row, and returns the events for the rows shown: first of the row itself, then of a row
    /// that enters or leaves in exchange. `place` is the new place, or `nil` if the row is no longer in the list.
    mutating func take(
        _ id: ResourceID, at place: ListPlace?, _ bytes: [UInt8]?, seq: Int64, leaving: LeaveReason
    ) -> [WindowEvent] {
        let held = places[id].flatMap { index(of: id, at: $0) }
        if let held, rows[held].asOf >= seq { return [] }
        let place = known(place, held)
        let isWithin = place.map { place in horizon.map { !order.precedes($0, place) } ?? true } ?? false
        if let held {
            rows.remove(at: held)
            places[id] = nil
        }
        var new: Int?
        if isWithin, let place, let bytes {
            let index = index(at: place)
            rows.insert(WindowRow(id, at: place, bytes: bytes, asOf: seq), at: index)
            places[id] = place
            new = index
        }
        let reason: LeaveReason = place == nil ? leaving : .pushedOut
        return events(of: id, from: held, to: new, reason)
    }

    /// Returns a place with its key. If the key is unknown, it is that of the known row, because keys never change.
    private func known(_ place: ListPlace?, _ held: Int?) -> ListPlace? {
        guard let place, place.key == 0 else { return place }
        return held.map { ListPlace(place.value, key: rows[$0].place.key) }
    }

    private func events(
        of id: ResourceID, from old: Int?, to new: Int?, _ reason: LeaveReason
    ) -> [WindowEvent] {
        let (wasShown, isShown) = (old.map { $0 < limit } ?? false, new.map { $0 < limit } ?? false)
        let next = new.flatMap { $0 + 1 < min(limit, rows.count) ? rows[$0 + 1].id : nil }
        func shown(_ name: EventName, before next: ResourceID?) -> SubscribedEvent {
            SubscribedEvent(event: name, neighbour: WindowNeighbour(id: next))
        }
        switch (wasShown, isShown) {
        case (false, false): return []
        case (true, true): return [WindowEvent(id: id, subscribed: shown(.updated, before: next), isMoved: old != new)]
        case (true, false):
            let gone = WindowEvent(id: id, subscribed: SubscribedEvent(event: .leave, reason: reason))
            guard rows.count >= limit else { return [gone] }
            let row = rows[limit - 1]
            return [gone, WindowEvent(id: row.id, subscribed: shown(.enter, before: nil), row: row)]
        case (false, true):
            let come = WindowEvent(id: id, subscribed: shown(.enter, before: next))
            guard rows.count > limit else { return [come] }
            let row = rows[limit]
            return [
                come, WindowEvent(id: row.id, subscribed: SubscribedEvent(event: .leave, reason: .pushedOut), row: row),
            ]
        }
    }

    private func index(of id: ResourceID, at place: ListPlace) -> Int? {
        let index = index(at: place)
        return index < rows.count && rows[index].id == id ? index : rows.firstIndex { $0.id == id }
    }

    /// Returns the index of the first row that is not before a place.
    private func index(at place: ListPlace) -> Int {
        var (low, high) = (0, rows.count)
        while low < high {
            let middle = (low + high) / 2
            if order.precedes(rows[middle].place, place) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

/// An effect of a change on the rows that a window shows.
struct WindowEvent {
    let id: ResourceID
    /// The event for subscriptions. Its `neighbour` is the row before which the affected row now is.
    let subscribed: SubscribedEvent
    /// The row to show, if it is not the changed one.
    var row: WindowRow?
    /// A Boolean value indicating whether an update moved the row.
    var isMoved = false
}
