/// Composed resources have no table. A card shows a reading, whose id and scope it has, and the reading's book. Each
/// change of a reading or book can change cards.
///
/// A standing also follows from other rows but has a table. Its row holds only what the reader shares, so reads need no
/// filtering.
extension ResourceKind {
    /// The kinds of which a resource of this kind is composed, or `nil` for a kind with a table. `base` has the
    /// resource's id and scope, and everyone sees `shared`.
    public var composition: (base: ResourceKind, shared: ResourceKind)? { self == .card ? (.reading, .book) : nil }
}

extension Change {
    /// The kind of the composed resources that the change can change, or `nil` for none. A new book has no card yet,
    /// and a book that has cards cannot be deleted.
    public var composedKind: ResourceKind? {
        switch kind {
        case .reading: .card
        case .book: operation == .updated && !changed.isDisjoint(with: Book.fieldsOfCard) ? .card : nil
        default: nil
        }
    }
}

extension BookCard {
    /// Returns the change that a change of a reading or book makes to a card, or `nil` if the card looks the same as
    /// before.
    public static func change(by cause: Change, in scope: ChangeScope, before: BookCard?, after: BookCard?) -> Change? {
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
