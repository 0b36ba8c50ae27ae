package import Model

/// The first rows of a list in its order, as far as a limit, and some that come after them, so that who goes has a successor.
///
/// It hears of each change what it made of one row, and says what that does to the rows that are shown: the list is not read
/// again. Only when nearly all that come after are used up, those after its horizon are read. They may be ahead of the
/// changes that it has heard: then these change nothing any more.
package struct Window {
    package let order: ListOrder
    package let limit: Int
    /// In the list's order: all that there are up to the horizon.
    private(set) var rows: [WindowRow]
    /// Where each stands.
    private var places: [ResourceID: ListPlace]
    /// Up to where it knows the list; nil for its end.
    private(set) var horizon: ListPlace?
    /// Who has everything up to one of these changes, and no further one, has not what it has: it was read later.
    private var ahead: Range<Int64>

    /// Reads rows of a list: the first ones, or those after a place.
    package typealias Source = (_ after: ListPlace?, _ count: Int) throws(LecternError) -> WindowRows

    package init(_ first: WindowRows, order: ListOrder, limit: Int) {
        self.order = order
        self.limit = limit
        rows = first.rows
        horizon = first.horizon
        ahead = 0..<first.asOf
        places = Dictionary(first.rows.map { ($0.id, $0.place) }) { $1 }
    }

    /// How many come after those that are shown.
    private static func reserve(limit: Int) -> Int { min(max(limit, 8), 64) }

    /// How many rows are read at first.
    package static func capacity(limit: Int) -> Int { limit + reserve(limit: limit) }

    /// Rows that one commit may take away before the window is made anew rather than filled up.
    private static let removalsMax = 256

    /// How many rows after the horizon must be read before so many may go; none where there are enough.
    func lacks(beforeLosing count: Int) -> Int {
        guard horizon != nil, count <= Self.removalsMax, rows.count < limit + count else { return 0 }
        return Self.capacity(limit: limit) + count - rows.count
    }

    /// The same of rows that a commit changes, of which it may lose those that it has, and of so many others.
    func lacks(beforeLosing changed: [ResourceID], besides others: Int) -> Int {
        // Mostly there are enough whichever they are.
        guard lacks(beforeLosing: min(changed.count, rows.count) + others) > 0 || changed.count > Self.removalsMax
        else {
            return 0
        }
        return lacks(beforeLosing: changed.count { holds($0) } + others)
    }

    /// Whether it does not know all that it ought to show.
    var isShort: Bool { rows.count < limit && horizon != nil }

    /// Whether who has everything up to a change can go on from what it shows.
    func serves(from cursor: Int64) -> Bool { !ahead.contains(cursor) }

    /// Takes in rows that come after its horizon, before a change is told.
    mutating func extend(_ next: WindowRows, before seq: Int64) {
        if next.asOf >= seq { ahead = (ahead.upperBound > seq ? ahead.lowerBound : seq)..<next.asOf }
        for row in next.rows where places[row.id] == nil {
            // What it knows elsewhere moves there by a change that is still to come.
            rows.append(row)
            places[row.id] = row.place
        }
        horizon = next.horizon
    }

    /// Lets go of rows that it does not need, after a commit.
    mutating func trim() {
        let capacity = Self.capacity(limit: limit)
        guard rows.count > capacity else { return }
        for row in rows[capacity...] { places[row.id] = nil }
        rows.removeSubrange(capacity...)
        horizon = rows[capacity - 1].place
    }

    func holds(_ id: ResourceID) -> Bool { places[id] != nil }

    /// Takes in what a change made of a row: where it stands now, nil where it does not belong to the list any more; and says
    /// what that does to what is shown: first to itself, then to what it lets in, or pushes out.
    mutating func take(
        _ id: ResourceID, at place: ListPlace?, _ bytes: [UInt8]?, seq: Int64, leaving: EventFrame.Reason
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
        let reason: EventFrame.Reason = place == nil ? leaving : .pushedOut
        return events(of: id, from: held, to: new, reason)
    }

    /// A place whose key is not known has that of the row that is held: keys never change.
    private func known(_ place: ListPlace?, _ held: Int?) -> ListPlace? {
        guard let place, place.key == 0 else { return place }
        return held.map { place.with(key: rows[$0].place.key) }
    }

    private func events(
        of id: ResourceID, from old: Int?, to new: Int?, _ reason: EventFrame.Reason
    ) -> [WindowEvent] {
        let (wasShown, isShown) = (old.map { $0 < limit } ?? false, new.map { $0 < limit } ?? false)
        switch (wasShown, isShown) {
        case (false, false): return []
        case (true, true):
            return [WindowEvent(name: .updated, id: id, before: neighbour(of: new), isMoved: old != new)]
        case (true, false):
            let gone = WindowEvent(name: .leave(reason), id: id)
            guard rows.count >= limit else { return [gone] }
            let row = rows[limit - 1]
            return [gone, WindowEvent(name: .enter, id: row.id, row: row)]
        case (false, true):
            let come = WindowEvent(name: .enter, id: id, before: neighbour(of: new))
            guard rows.count > limit else { return [come] }
            let row = rows[limit]
            return [come, WindowEvent(name: .leave(.pushedOut), id: row.id, row: row)]
        }
    }

    /// What stands after a row among those that are shown.
    private func neighbour(of index: Int?) -> ResourceID? {
        guard let next = index.map({ $0 + 1 }), next < min(limit, rows.count) else { return nil }
        return rows[next].id
    }

    private func index(of id: ResourceID, at place: ListPlace) -> Int? {
        let index = index(at: place)
        return index < rows.count && rows[index].id == id ? index : rows.firstIndex { $0.id == id }
    }

    /// The first row that does not stand before a place.
    private func index(at place: ListPlace) -> Int {
        var (low, high) = (0, rows.count)
        while low < high {
            let middle = (low + high) / 2
            if order.precedes(rows[middle].place, place) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

/// What a change does to the rows that a window shows.
struct WindowEvent {
    enum Name: Equatable {
        case enter
        case updated
        case leave(EventFrame.Reason)
    }

    let name: Name
    let id: ResourceID
    /// What it stands before from now on; nil where it is the last, and where it is gone.
    var before: ResourceID?
    /// Of a row that the change is not of: what is to be shown of it.
    var row: WindowRow?
    /// Of an update: whether it stands elsewhere than before.
    var isMoved = false

    /// What a part of a subscription is told of it.
    var heard: Heard {
        switch name {
        case .enter: Heard(name: nil, event: .enter, neighbour: Neighbour(id: before))
        case .updated: Heard(name: nil, event: .updated, neighbour: Neighbour(id: before))
        case .leave(let reason): Heard(name: nil, event: .leave, reason: reason)
        }
    }
}
