import JSON
import Model

/// A resolved position with the database keys of its comparison scales.
struct StoredPosition {
    let resolved: ResolvedPosition
    let scaled: ScaledPosition
    /// The writes of its new scales.
    let newScales: [any CommandChange]

    /// Returns the threshold of a note at the position.
    func threshold(slack: Progress) -> SpoilerThreshold {
        SpoilerThreshold(at: scaled.exact, share: resolved.share).adding(slack)
    }
}

extension WriteState {
    /// Resolves a position in a book, and finds the keys of its scales.
    ///
    /// - Parameters:
    /// - edition: The edition of a position that names none.
    /// - pageCount: The page count for a position in no edition.
    /// - member: The member of the body with the position.
    func keyed(
        _ position: PositionDraft, inBook book: Int64, edition: ResourceID?, pageCount: Int32?,
        at member: String = "/position"
    ) throws(RequestError) -> StoredPosition {
        let resolved = try resolved(position, inBook: book, edition: edition, pageCount: pageCount, at: member)
        var newScales: [any CommandChange] = []
        let own = (try key(of: resolved.own.scale, ofBook: book, &newScales), resolved.own.amount)
        var chapters: (scale: Int64, amount: Int64)?
        if let known = resolved.chapters {
            chapters = (try key(of: known.scale, ofBook: book, &newScales), known.amount)
        }
        return StoredPosition(
            resolved: resolved, scaled: ScaledPosition(own, chapters: chapters), newScales: newScales)
    }

    /// Returns the key of a book's scale. A new scale is appended to those that the command stores.
    func key(
        of scale: ComparisonScale, ofBook book: Int64, _ newScales: inout [any CommandChange]
    ) throws(RequestError) -> Int64 {
        if let key = try query(ComparisonScaleTable.key(of: scale, ofBook: book, in: db)) { return key }
        let key = try query(ComparisonScaleTable.nextKey(in: db)) + Int64(newScales.count)
        newScales.append(ComparisonScaleTable.insertion(scale, key: key, ofBook: book))
        return key
    }

    /// Resolves a position in a book.
    func resolved(
        _ position: PositionDraft, inBook book: Int64, edition: ResourceID?, pageCount: Int32?,
        at member: String = "/position"
    ) throws(RequestError) -> ResolvedPosition {
        var isByChapter = false
        if case .chapter = position.value { isByChapter = true }
        let named = position.position?.edition
        do throws(RequestError) {
            // Most positions are in no edition, so nothing need be read for them.
            guard named != nil || edition != nil || isByChapter else {
                return try PositionResolver(pageCount: pageCount).resolve(position)
            }
            let found = try query(
                PositionResolverSource.resolver(of: named ?? edition, ofBook: book, pageCount: pageCount, in: db))
            guard named == nil || found.edition != nil else {
                throw .violation("/position/edition", "is not an edition of this book")
            }
            return try found.resolve(position)
        } catch {
            throw error.pointing(at: member, insteadOf: "/position")
        }
    }

    /// Returns the edition of a book that a body names.
    func edition(named id: ResourceID, of book: Int64) throws(RequestError) -> Edition {
        guard let edition = try query(EditionTable.find(id, in: db)), edition.bookKey == book else {
            throw .violation("/edition", "is not an edition of this book")
        }
        return edition
    }
}

/// The source of position resolvers.
enum PositionResolverSource {
    /// Returns the resolver for an edition of a book, or for a page count without one.
    static func resolver(
        of edition: ResourceID?, ofBook book: Int64, pageCount: Int32?, in connection: SQLiteConnection
    ) throws(SQLiteError) -> PositionResolver {
        let found = try edition.flatMap { id throws(SQLiteError) in try EditionTable.find(id, in: connection) }
        let edition = found.flatMap { $0.bookKey == book ? $0 : nil }
        return PositionResolver(
            edition, pageCount: pageCount, chapters: try ChaptersTable.find(key: book, in: connection),
            anchors: edition?.anchors ?? [])
    }
}

extension RequestError {
    /// Returns the error with the pointers changed to another member of the body.
    fileprivate func pointing(at member: String, insteadOf other: String) -> RequestError {
        guard member != other, case .invalid(let violations) = self else { return self }
        return .invalid(
            violations.map {
                guard $0.pointer.hasPrefix(other) else { return $0 }
                return Violation(pointer: member + $0.pointer.dropFirst(other.count), detail: $0.detail)
            })
    }
}
