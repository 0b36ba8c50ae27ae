package import Model

/// The cards whose changes some subscription watches.
package struct WatchedBookCards: Sendable {
    let topics: Set<WatchTopic>
    /// The only reader whose cards are watched; `nil` for any reader's.
    package let reader: Int64?

    package func contains(_ id: ResourceID, _ scope: ChangeScope) -> Bool {
        topics.contains(.list(.card, scope)) || topics.contains(.resource(.card, id))
    }
}

/// Cards have no table. A card shows a reading, whose id and scope it has, and the reading's book. The models of cards
/// observe the models of readings and books, because each of their changes can change cards.
///
/// A standing also follows from other rows but has a table. Its row holds only what the reader shares, so reads need no
/// filtering.
extension BookCard {
    /// The topics that the model of a topic of cards observes.
    static func observed(by topic: WatchTopic) -> [WatchTopic] {
        switch topic {
        case .resource(.card, let id): [.resource(.reading, id), .list(.book, .everyone)]
        case .list(.card, let scope): [.list(.reading, scope), .list(.book, .everyone)]
        default: []
        }
    }

    /// Returns whether a change can change cards. A new book has no card yet, and a book that has cards cannot be
    /// deleted.
    static func canChange(by change: Change) -> Bool {
        switch change.kind {
        case .reading: true
        case .book: change.operation == .updated && !change.changed.isDisjoint(with: Book.fieldsOfCard)
        default: false
        }
    }

    /// Returns the change that a change of a reading or book makes to a card, or `nil` if the card looks the same as
    /// before.
    package static func change(by cause: Change, in scope: ChangeScope, before: BookCard?, after: BookCard?) -> Change?
    {
        guard let card = after ?? before else { return nil }
        var after = after
        after?.version = cause.seq
        let operation: ChangeOperation = before == nil ? .created : after == nil ? .deleted : .updated
        var (changed, replaced) = (FieldSet(), before?.encoded())
        if let before, let after {
            guard let difference = after.difference(from: before) else { return nil }
            (changed, replaced) = (difference.changed, difference.before)
        }
        // Lists break ties by the key of the reading.
        let key = card.key == 0 && cause.id == card.id ? cause.key : card.key
        return Change(
            seq: cause.seq, transaction: cause.transaction, at: cause.at, kind: kind, id: card.id, scope: scope,
            operation: operation, changed: changed, value: after?.encoded(), before: replaced, key: key)
    }
}
