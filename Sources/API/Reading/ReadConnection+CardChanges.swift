import Model
import ObservableModels
import Store

extension ReadConnection {
    /// Returns the changes of watched cards that a change of a reading or of a book makes.
    func cardChanges(by cause: Change, _ watched: WatchedComposites) throws(RequestError) -> [Change] {
        if cause.kind == .reading {
            let before = cause.representationBefore.flatMap { Reading($0) }
            let after = cause.representation.flatMap { Reading($0) }
            guard let id = (after ?? before)?.book, let book = try book(id, asOf: cause.seq) else { return [] }
            let change = BookCard.change(
                by: cause, in: cause.scope, before: before.map { BookCard(reading: $0, book: book) },
                after: after.map { BookCard(reading: $0, book: book) })
            return change.map { [$0] } ?? []
        }
        guard let after = cause.representation.flatMap({ Book($0) }),
            let before = cause.representationBefore.flatMap({ Book($0) })
        else { return [] }
        var changes: [Change] = []
        for reading in try readings(ofBook: cause.id, since: cause.seq, of: watched.reader) {
            let scope = ChangeScope.reader(key: reading.readerKey)
            guard watched.contains(.card, reading.id, scope), let then = try self.reading(reading, asOf: cause.seq),
                let change = BookCard.change(
                    by: cause, in: scope, before: BookCard(reading: then, book: before),
                    after: BookCard(reading: then, book: after))
            else { continue }
            changes.append(change)
        }
        return changes
    }
}
