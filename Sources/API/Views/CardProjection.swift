import Model
import ObservableModels
import Store

extension APIHandler {
    /// The changes of cards that follow from a change of a reading or of a book: of one reader's, or of those that somebody on
    /// this loop watches.
    func cards(from change: Change, of reader: Int64?) throws(LecternError) -> [Change] {
        switch change.kind {
        case .reading: try card(fromReading: change).map { [$0] } ?? []
        case .book: try cards(fromBook: change, of: reader)
        default: []
        }
    }

    private func card(fromReading change: Change) throws(LecternError) -> Change? {
        let after = change.value.flatMap { Representation($0) }.flatMap { Reading($0) }
        let before = change.before.flatMap { replaced in
            change.value == nil ? Representation(replaced) : Representation(change.value ?? [], before: replaced)
        }.flatMap { Reading($0) }
        guard let id = (after ?? before)?.book, let book = try book(id, asOf: change.seq) else { return nil }
        return cardChange(
            change, scope: change.scope, after: after.map { Card(reading: $0, book: book) },
            before: before.map { Card(reading: $0, book: book) })
    }

    private func cards(fromBook change: Change, of reader: Int64?) throws(LecternError) -> [Change] {
        guard let value = change.value, let replaced = change.before,
            let after = Representation(value).flatMap({ Book($0) }),
            let before = Representation(value, before: replaced).flatMap({ Book($0) })
        else { return [] }
        var changes: [Change] = []
        for reading in try reads.readings(ofBook: change.id, since: change.seq, of: reader) {
            let scope = Scope.reader(key: reading.readerKey)
            guard
                reader != nil || models.isWatched(.list(.card, scope))
                    || models.isWatched(.resource(.card, reading.id)),
                let then = try self.reading(reading, asOf: change.seq)
            else { continue }
            let card = cardChange(
                change, scope: scope, after: Card(reading: then, book: after), before: Card(reading: then, book: before)
            )
            if let card { changes.append(card) }
        }
        return changes
    }

    private func book(_ id: ResourceID, asOf seq: Int64) throws(LecternError) -> Book? {
        if let book = try reads.book(id), book.version <= seq { return book }
        return try reads.value(of: .book, id, scope: .everyone, asOf: seq).flatMap { Representation($0) }.flatMap {
            Book($0)
        }
    }

    private func reading(_ reading: Reading, asOf seq: Int64) throws(LecternError) -> Reading? {
        if reading.version <= seq { return reading }
        let scope = Scope.reader(key: reading.readerKey)
        return try reads.value(of: .reading, reading.id, scope: scope, asOf: seq).flatMap { Representation($0) }.flatMap
        { Reading($0) }
    }

    /// The change of a card that a change of a part makes; nil when the card looks the same as before.
    private func cardChange(_ cause: Change, scope: Scope, after: Card?, before: Card?) -> Change? {
        guard let id = (after ?? before)?.id else { return nil }
        var after = after
        after?.version = cause.seq
        let operation: ChangeOperation = before == nil ? .created : after == nil ? .deleted : .updated
        var changed = FieldSet()
        var replaced: [UInt8]?
        if let before, let after {
            guard let difference = after.difference(from: before) else { return nil }
            (changed, replaced) = (difference.changed, difference.before)
        } else {
            replaced = before?.encoded()
        }
        return Change(
            seq: cause.seq, transaction: cause.transaction, at: cause.at, kind: .card, id: id, scope: scope,
            operation: operation, changed: changed, value: after?.encoded(), before: replaced)
    }
}
