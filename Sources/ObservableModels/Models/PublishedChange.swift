import JSON
package import Model

/// A change on its way to its subscribers. Its parsed and encoded forms are made once, on first use.
final class PublishedChange {
    let change: Change
    private let epoch: LogEpoch
    private var places: [ListOrder: ListPlace] = [:]
    /// The frames, by event name and whether the event is the last of its transaction.
    private var frames = [[UInt8]?](repeating: nil, count: 2 * EventName.allCases.count)
    /// The members of the change's JSON, common to all frames.
    private lazy var body = Array(change.encoded().dropFirst().dropLast())
    private lazy var after = change.representation
    private lazy var before = change.representationBefore
    private lazy var bookAfter = after.flatMap { Book($0) }.map { ($0, FoldedBookWords(of: $0)) }
    private lazy var bookBefore = before.flatMap { Book($0) }.map { ($0, FoldedBookWords(of: $0)) }
    private lazy var wordsAfter = after.flatMap { SearchedWords($0, of: change.kind) }
    private lazy var wordsBefore = before.flatMap { SearchedWords($0, of: change.kind) }

    init(_ change: Change, epoch: LogEpoch) {
        self.change = change
        self.epoch = epoch
    }

    /// Returns the frame for an event name. A reason replaces the one that follows from the change.
    func frame(
        _ name: EventName, reason: LeaveReason? = nil, _ neighbour: WindowNeighbour? = nil, isLast: Bool
    ) -> [UInt8] {
        if reason != nil || neighbour != nil {
            return EventFrame.change(change, body, name, epoch: epoch, reason: reason, neighbour, isLast: isLast)
        }
        let index = 2 * Int(name.rawValue) + (isLast ? 1 : 0)
        if let made = frames[index] { return made }
        let frame = EventFrame.change(change, body, name, epoch: epoch, isLast: isLast)
        frames[index] = frame
        return frame
    }

    /// Returns the frame for a stream with names.
    func frame(for names: [SubscribedEvent], id: [UInt8]?, isLast: Bool) -> [UInt8] {
        EventFrame.change(change, body, for: names, id: id, isLast: isLast)
    }

    /// Returns the change with further fields in which it differs.
    func adding(_ changed: FieldSet) -> PublishedChange {
        guard change.operation == .updated else { return self }
        return PublishedChange(change.adding(changed), epoch: epoch)
    }

    /// Returns whether a viewer may receive the change. Club membership and the moderator's role need no check: when
    /// these end, listening ends.
    func maySee(_ viewer: Viewer) -> Bool {
        guard change.scope.club != nil else { return viewer.maySee(change.scope) }
        return change.scope.reader == 0 || change.scope.isForRole || change.scope.reader == viewer.readerKey
    }

    /// Returns the event name for subscriptions to a list with a filter, or to no list. Returns `nil` if there is no
    /// event.
    func name(in filter: ListFilter?) -> EventName? {
        guard let filter else { return EventName(change.operation) }
        if change.operation == .unlocked { return passes(filter, after, bookAfter, wordsAfter) ? .unlocked : nil }
        let isOld = change.operation != .created && !isShared
        let was = isOld && passes(filter, before, bookBefore, wordsBefore)
        let isNow = change.value != nil && passes(filter, after, bookAfter, wordsAfter)
        switch (was, isNow) {
        case (false, true): return .enter
        case (true, false): return .leave
        // The recipients are not distinguished, and the resource may have become visible to one of them.
        case (true, true): return change.makesNameless ? .enter : .updated
        case (false, false): return nil
        }
    }

    private static let clubOfNote = Note.fields["club"]

    /// A Boolean value indicating whether the change moves its author's own note to a club. Before, the note was in
    /// none of the club's lists.
    private var isShared: Bool {
        change.kind == .note && change.operation == .updated && change.changed.contains(Self.clubOfNote)
    }

    /// Returns the resource's place after the change in a filtered list, or `nil` if the filter does not match.
    func place(in order: ListOrder, _ filter: ListFilter) -> ListPlace? {
        guard change.value != nil, passes(filter, after, bookAfter, wordsAfter) else { return nil }
        if let known = places[order] { return known }
        let place = after.flatMap { order.place(of: $0, key: change.key) }
        places[order] = place
        return place
    }

    /// Returns the change as it affects another row: a window shows that row now, or no longer shows it.
    func moving(_ row: WindowRow, isShown: Bool) -> PublishedChange {
        PublishedChange(
            Change(
                seq: change.seq, transaction: change.transaction, at: change.at, kind: change.kind, id: row.id,
                scope: change.scope, operation: .moved, changed: [], value: isShown ? row.bytes : nil, before: nil),
            epoch: epoch)
    }

    private func passes(
        _ filter: ListFilter, _ representation: @autoclosure () -> ResourceRepresentation?,
        _ book: @autoclosure () -> (Book, FoldedBookWords)?, _ words: @autoclosure () -> SearchedWords?
    ) -> Bool {
        switch filter {
        case .all: true
        case .books(let filter): book().map { book, words in filter.matches(book, words: words) } ?? false
        case .readings(let filter): representation().map { filter.matches($0, words: words()) } ?? false
        case .notes(let filter): representation().map { filter.matches($0, words: words()) } ?? false
        case .words(let search): words().map { search.matches($0) } ?? false
        case .having(let name, let id): representation()?[name]?.string == id.description
        case .saying(let name, let text): representation()?[name]?.string == text
        case .current: representation()?["isCurrent"]?.bool ?? false
        case .runs(let filter): representation().map { filter.matches($0) } ?? false
        }
    }
}

extension Change {
    /// The resource after the change, or `nil` after a deletion.
    package var representation: ResourceRepresentation? { value.flatMap { ResourceRepresentation($0) } }

    /// The resource before the change, or `nil` if the change created it.
    package var representationBefore: ResourceRepresentation? {
        guard let before else { return nil }
        guard let value else { return ResourceRepresentation(before) }
        return ResourceRepresentation(value, before: before)
    }
}
