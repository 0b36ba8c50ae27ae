import JSON
import Model

/// A change on its way to its subscribers: what they need of it is made once, when the first of them asks.
final class PublishedChange {
    let change: Change
    private let epoch: Epoch
    private var frames = [[UInt8]?](repeating: nil, count: EventName.allCases.count)
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

    /// Its frame under a name.
    func frame(_ name: EventName) -> [UInt8] {
        if let made = frames[Int(name.rawValue)] { return made }
        let frame = EventFrame.change(change, name, epoch: epoch)
        frames[Int(name.rawValue)] = frame
        return frame
    }

    /// The last frame of a subscription that the change ends: with what it shows, or with its reader's going.
    func last(for subscription: Subscription) -> [UInt8] {
        if subscription.topics.contains(.resource(change.kind, change.id)), subscription.filter == nil {
            return frame(.deleted)
        }
        if change.kind == .member { return EventFrame.change(change, .leave, epoch: epoch, reason: .noLongerYours) }
        return frame(.leave)
    }

    /// Who listens to a club's things is a member, and to its moderators' a moderator: with that the listening ends.
    func maySee(_ viewer: Viewer) -> Bool {
        guard change.scope.club != nil else { return viewer.maySee(change.scope) }
        return change.scope.reader == 0 || change.scope.isForModerators || change.scope.reader == viewer.readerKey
    }

    /// What it is to those who listen to a list with that filter, or to no list; nil for nothing.
    func name(in filter: ListFilter?) -> EventName? {
        guard let filter else { return EventName(change.operation) }
        if change.operation == .unlocked { return passes(filter, after, bookAfter, wordsAfter) ? .unlocked : nil }
        let was = change.operation != .created && passes(filter, before, bookBefore, wordsBefore)
        let isNow = change.operation != .deleted && passes(filter, after, bookAfter, wordsAfter)
        switch (was, isNow) {
        case (false, true): return .enter
        case (true, false): return .leave
        case (true, true): return .updated
        case (false, false): return nil
        }
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
        }
    }
}

extension Change {
    /// What it is of, as the change made it; nil after a deletion.
    var representation: Representation? { value.flatMap { Representation($0) } }

    /// What it is of, as it was before; nil when the change made it.
    var representationBefore: Representation? {
        guard let before else { return nil }
        guard let value else { return Representation(before) }
        return Representation(value, before: before)
    }
}
