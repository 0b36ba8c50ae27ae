package import Model

extension Command {
    /// The maximum number of editions of one book.
    static let editionsMax = CountLimit("editionsMax", 50) { "The book has \($0) editions, which is the maximum." }

    /// Adds an edition to a book. Any reader may, as for books.
    package static func createEdition(of book: ResourceID, _ patch: EditionPatch) -> Command {
        Command { state, actor throws(RequestError) in
            try state.edition(of: state.found(BookTable.find(book, in: state.db)), patch, actor)
        }
    }

    /// Adds an edition to the book that the draft names; see `createEdition(of:_:)`.
    package static func createEdition(_ draft: EditionDraft) -> Command {
        Command { state, actor throws(RequestError) in
            try state.edition(of: state.book(named: draft.book), draft.edition, actor)
        }
    }

    /// Changes an edition or its anchors; see `WriteState.demandCuration(of:by:)`. With another measure, new positions
    /// compare only with later ones.
    package static func updateEdition(_ id: ResourceID, _ patch: EditionPatch) -> Command {
        Command { state, actor throws(RequestError) in
            let old = try state.found(EditionTable.find(id, in: state.db))
            var new = try patch.applied(to: old)
            let changed = new.difference(from: old)?.changed ?? []
            // Any reader may add the first anchors of an edition.
            let isAnchored = old.anchors == nil && changed == Edition.fieldsOfAnchors
            if !changed.isEmpty, !isAnchored { try state.demandCuration(of: old, by: actor.viewer) }
            try actor.precondition.check(old)
            let isMeasured = !changed.isDisjoint(with: Edition.fieldsOfMeasure)
            if isMeasured { new.revision += 1 }
            let chapters = try state.revisingChapters(old, as: new, isMeasured: isMeasured)
            return CommandDecision([RowWrite<EditionTable>(before: old, after: new)] + chapters)
        }
    }

    /// Deletes an edition that no reading and no run uses.
    package static func deleteEdition(_ id: ResourceID) -> Command {
        Command { state, actor throws(RequestError) in
            let old = try state.found(EditionTable.find(id, in: state.db))
            try state.demandCuration(of: old, by: actor.viewer)
            try actor.precondition.check(old)
            guard try state.query(ReadingTable.rows.count(of: "edition", id, in: state.db)) == 0,
                try state.query(ClubRunTable.rows.count(of: "edition", id, in: state.db)) == 0
            else {
                throw .refused(
                    .editionInUse, "The edition cannot be deleted, because a reading or a club's run uses it.")
            }
            let chapters = old.anchors == nil ? [] : try state.revisingChapters(ofBook: old.bookKey)
            return CommandDecision([RowWrite<EditionTable>(before: old, after: nil)] + chapters)
        }
    }
}

extension WriteState {
    /// Returns the decision that adds an edition to a book, or throws if the book has too many.
    func edition(of book: Book, _ patch: EditionPatch, _ actor: CommandActor) throws(RequestError) -> CommandDecision {
        try Command.editionsMax.demandRoom(beside: query(EditionTable.all(of: "book", book.key, in: db)).count)
        let blank = Edition(
            id: actor.newID, book: (book.id, book.key), adderKey: actor.viewer.adder, createdAt: actor.now)
        return CommandDecision([RowWrite<EditionTable>(before: nil, after: try patch.applied(to: blank))])
    }

    /// Throws if the viewer may not change an edition. Those who may change its book may, and so may the reader who
    /// added it while no other reader reads in it.
    func demandCuration(of edition: Edition, by viewer: Viewer) throws(RequestError) {
        guard viewer.role == .reader, !isCatalogueOpen else { return }
        if edition.adderKey == viewer.readerKey,
            try !query(EditionTable.isOfOthers(edition, than: viewer.readerKey, in: db))
        {
            return
        }
        try demandCuration(of: found(BookTable.find(key: edition.bookKey, in: db)), by: viewer)
    }
}
