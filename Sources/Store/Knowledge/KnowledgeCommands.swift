import JSON
package import Model

extension Command {
    /// Says how much of a book the asker knows already: what that reaches in their clubs comes to them, as by an entry. Where it
    /// is less than before it falls back, as with an entry that is undone: what was reached while it was there stays so.
    package static func putKnowledge(of book: ResourceID, _ draft: KnowledgeDraft) -> Command {
        Command { state, asker throws(LecternError) in
            let book = try state.found(BookTable.find(book, in: state.db))
            let old = try state.knowledge(of: book.id, asker)
            try asker.precondition.check(old)
            var new = old ?? Knowledge(of: asker.reader, book: (book.id, book.key), createdAt: asker.now)
            var believing: [any Proposal] = []
            if let through = draft.through {
                let (placed, scale) = try state.placed(through, in: book, asker)
                new.reach(placed, frame: placed.frame == .unsaid ? nil : scale.place(of: placed, inBook: book.key))
                believing = scale.believing(placed)
            } else {
                new.reach(nil, frame: nil)
            }
            // What says the same stays, with all that it meant when it was said.
            if let old, new.difference(from: old) == nil {
                return Decision([Write<KnowledgeTable>(before: old, after: old)])
            }
            return Decision(
                [Write<KnowledgeTable>(before: old, after: new)] + believing
                    + (try state.consequences(of: new, over: old)))
        }
    }

    /// Takes it back.
    package static func deleteKnowledge(of book: ResourceID) -> Command {
        Command { state, asker throws(LecternError) in
            guard let old = try state.knowledge(of: book, asker) else { throw .notFound }
            try asker.precondition.check(old)
            return Decision(
                [Write<KnowledgeTable>(before: old, after: nil)] + (try state.consequences(of: nil, over: old)))
        }
    }
}

extension WriteState {
    fileprivate func knowledge(of book: ResourceID, _ asker: Asker) throws(LecternError) -> Knowledge? {
        try read(KnowledgeTable.find(Knowledge.id(of: asker.reader.id, book: book), in: db))
    }

    /// What a place means that a reader knows: by the edition that they read, where it names none.
    fileprivate func placed(
        _ said: SaidPlace, in book: Book, _ asker: Asker
    ) throws(LecternError) -> (placed: Placed, by: Scale) {
        let reading = try read(ReadingTable.current(reader: asker.reader, book: book.key, in: db))
        do throws(LecternError) {
            let scale = try scale(
                of: book.key, saying: .at(said), edition: reading?.edition,
                pageCount: reading?.pageCount ?? book.pageCount, roundsUp: true)
            return (try scale.placed(.at(said)), scale)
        } catch {
            throw error.pointing(at: "/through", insteadOf: "/at")
        }
    }

    /// What follows for the notes of the reader's clubs when this is what they know of a book: nothing for who is in none.
    func consequences(of new: Knowledge?, over old: Knowledge?) throws(LecternError) -> [any Proposal] {
        guard let any = new ?? old, try read(MemberTable.has(reader: any.readerKey, in: db)) else { return [] }
        let others = try read(
            Reach.furthest(any.readerKey, book: any.bookKey, exceptReading: ReachSources.knowledge, in: db))
        // Where only what was known before had come they are nowhere now.
        var furthest: [Int64: Int64] = [:]
        for reached in others + (old?.reached.map { Reached(place: $0.place, at: 0) } ?? []) + (new?.reached ?? []) {
            furthest[reached.place] = max(furthest[reached.place] ?? 0, reached.at)
        }
        return try consequences(
            reader: any.readerKey,
            reached: furthest.sorted { $0.key < $1.key }.map { Reached(place: $0.key, at: $0.value) })
    }
}

extension LecternError {
    /// The same, of a body whose member is called otherwise.
    fileprivate func pointing(at member: String, insteadOf other: String) -> LecternError {
        guard case .invalid(let violations) = self else { return self }
        return .invalid(
            violations.map {
                guard $0.pointer.hasPrefix(other) else { return $0 }
                return Violation(pointer: member + $0.pointer.dropFirst(other.count), detail: $0.detail)
            })
    }
}
