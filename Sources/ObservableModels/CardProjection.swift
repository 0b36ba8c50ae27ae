package import Model

/// What the wholes of projections are made of, as it was right after a change of the log.
package protocol Parts {
    func book(_ id: ResourceID, asOf seq: Int64) throws(LecternError) -> Book?
    /// What a reading was that is there, or was.
    func reading(_ reading: Reading, asOf seq: Int64) throws(LecternError) -> Reading?
    /// The readings of a book that are there, or were deleted since a change; of one reader, or of all.
    func readings(ofBook id: ResourceID, since seq: Int64, of reader: Int64?) throws(LecternError) -> [Reading]
}

extension Projection {
    /// What a shelf shows of a reading and its book: it has the reading's id and scope. A new book has no card yet, and one
    /// that has cannot be deleted.
    static let card = Projection(
        of: Card.self, parts: [Part(.reading), Part(.book, fields: Book.fieldsOfCard, scope: .everyone)]
    ) { cause, asked, parts throws(LecternError) in
        switch cause.kind {
        case .reading: try card(ofReading: cause, parts).map { [$0] } ?? []
        default: try cards(ofBook: cause, asked, parts)
        }
    }

    private static func card(ofReading cause: Change, _ parts: any Parts) throws(LecternError) -> Pair<Card>? {
        let (before, after) = (
            cause.representationBefore.flatMap { Reading($0) }, cause.representation.flatMap { Reading($0) }
        )
        guard let id = (after ?? before)?.book, let book = try parts.book(id, asOf: cause.seq) else { return nil }
        return Pair(
            scope: cause.scope, before: before.map { Card(reading: $0, book: book) },
            after: after.map { Card(reading: $0, book: book) })
    }

    private static func cards(
        ofBook cause: Change, _ asked: Asked, _ parts: any Parts
    ) throws(LecternError) -> [Pair<Card>] {
        guard let after = cause.representation.flatMap({ Book($0) }),
            let before = cause.representationBefore.flatMap({ Book($0) })
        else { return [] }
        var pairs: [Pair<Card>] = []
        for reading in try parts.readings(ofBook: cause.id, since: cause.seq, of: asked.reader) {
            let scope = Scope.reader(key: reading.readerKey)
            guard asked.wants(.card, reading.id, scope), let then = try parts.reading(reading, asOf: cause.seq) else {
                continue
            }
            pairs.append(
                Pair(scope: scope, before: Card(reading: then, book: before), after: Card(reading: then, book: after)))
        }
        return pairs
    }
}
