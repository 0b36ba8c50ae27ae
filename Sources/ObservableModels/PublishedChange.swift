import JSON
package import Model

/// A change on its way to its subscribers: what they need of it is made once, when the first of them asks.
final class PublishedChange {
    let change: Change
    private let epoch: Epoch
    private var places: [ListOrder: ListPlace] = [:]
    /// By the name, and whether it is the last of its transaction.
    private var frames = [[UInt8]?](repeating: nil, count: 2 * EventName.allCases.count)
    /// The members of its JSON, which all frames have.
    private lazy var body = Array(change.encoded().dropFirst().dropLast())
    private lazy var after = change.representation
    private lazy var before = change.representationBefore
    private lazy var bookAfter = after.flatMap { Book($0) }.map { ($0, BookWords(of: $0)) }
    private lazy var bookBefore = before.flatMap { Book($0) }.map { ($0, BookWords(of: $0)) }
    private lazy var wordsAfter = after.flatMap { SearchedWords($0, of: change.kind) }
    private lazy var wordsBefore = before.flatMap { SearchedWords($0, of: change.kind) }

    init(_ change: Change, epoch: Epoch) {
        self.change = change
        self.epoch = epoch
    }

    /// Its frame under a name, and for a reason where that is not what the change did.
    func frame(
        _ name: EventName, reason: EventFrame.Reason? = nil, _ neighbour: Neighbour? = nil, isLast: Bool
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

    /// Its frame for a stream with names.
    func frame(for names: [Heard], id: [UInt8]?, isLast: Bool) -> [UInt8] {
        EventFrame.change(change, body, for: names, id: id, isLast: isLast)
    }

    /// The same change as one of these fields, too.
    func adding(_ changed: FieldSet) -> PublishedChange {
        guard change.operation == .updated else { return self }
        return PublishedChange(change.adding(changed), epoch: epoch)
    }

    /// Who listens to a club's things is a member, and to its moderators' a moderator: with that the listening ends.
    func maySee(_ viewer: Viewer) -> Bool {
        guard change.scope.club != nil else { return viewer.maySee(change.scope) }
        return change.scope.reader == 0 || change.scope.isForRole || change.scope.reader == viewer.readerKey
    }

    /// What it is to those who listen to a list with that filter, or to no list; nil for nothing.
    func name(in filter: ListFilter?) -> EventName? {
        guard let filter else { return EventName(change.operation) }
        if change.operation == .unlocked { return passes(filter, after, bookAfter, wordsAfter) ? .unlocked : nil }
        let isOld = change.operation != .created && !isShared
        let was = isOld && passes(filter, before, bookBefore, wordsBefore)
        let isNow = change.value != nil && passes(filter, after, bookAfter, wordsAfter)
        switch (was, isNow) {
        case (false, true): return .enter
        case (true, false): return .leave
        // Who is told cannot be told apart by it: it may have come into sight.
        case (true, true): return change.makesNameless ? .enter : .updated
        case (false, false): return nil
        }
    }

    private static let clubOfNote = Note.fields["club"]

    /// Whether it brings a note that was its author's own to a club: until then that was in none of the club's lists.
    private var isShared: Bool {
        change.kind == .note && change.operation == .updated && change.changed.contains(Self.clubOfNote)
    }

    /// Where it stands after the change in a list of those that a filter lets through; nil where it is none of them.
    func place(in order: ListOrder, _ filter: ListFilter) -> ListPlace? {
        guard change.value != nil, passes(filter, after, bookAfter, wordsAfter) else { return nil }
        if let known = places[order] { return known }
        let place = after.flatMap { order.place(of: $0, key: change.key) }
        places[order] = place
        return place
    }

    /// What it does to a row that it is not of: nothing but that a window shows it now, or does no longer.
    func moving(_ row: WindowRow, isShown: Bool) -> PublishedChange {
        PublishedChange(
            Change(
                seq: change.seq, transaction: change.transaction, at: change.at, kind: change.kind, id: row.id,
                scope: change.scope, operation: .moved, changed: [], value: isShown ? row.bytes : nil, before: nil),
            epoch: epoch)
    }

    private func passes(
        _ filter: ListFilter, _ representation: @autoclosure () -> Representation?,
        _ book: @autoclosure () -> (Book, BookWords)?, _ words: @autoclosure () -> SearchedWords?
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
    /// What it is of, as the change made it; nil after a deletion.
    package var representation: Representation? { value.flatMap { Representation($0) } }

    /// What it is of, as it was before; nil when the change made it.
    package var representationBefore: Representation? {
        guard let before else { return nil }
        guard let value else { return Representation(before) }
        return Representation(value, before: before)
    }
}
