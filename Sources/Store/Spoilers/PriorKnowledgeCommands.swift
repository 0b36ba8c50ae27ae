package import Model

extension Command {
    /// Sets how much of a book the actor already knows. It raises marks like an entry at that position. A smaller
    /// amount than before lowers them.
    package static func putKnowledge(of book: ResourceID, _ draft: PriorKnowledgeDraft) -> Command {
        Command { state, actor throws(RequestError) in
            let book = try state.found(BookTable.find(book, in: state.db))
            let old = try state.knowledge(of: book.id, actor)
            try actor.precondition.check(old)
            var new = old ?? PriorKnowledge(of: actor.reader, book: (book.id, book.key), createdAt: actor.now)
            let keyed = try draft.through.map { through throws(RequestError) in
                try state.keyed(through, in: book, of: actor, at: "/through")
            }
            new.know(keyed?.resolved, keyed?.scaled ?? ScaledPosition())
            // An unchanged statement keeps its earlier scales.
            if let old, new.difference(from: old) == nil {
                return CommandDecision([RowWrite<PriorKnowledgeTable>(before: old, after: old)])
            }
            return CommandDecision(
                [RowWrite<PriorKnowledgeTable>(before: old, after: new)] + (keyed?.newScales ?? [])
                    + (try state.marking(from: old, to: new)))
        }
    }

    /// Deletes the actor's knowledge of a book.
    package static func deleteKnowledge(of book: ResourceID) -> Command {
        Command { state, actor throws(RequestError) in
            guard let old = try state.knowledge(of: book, actor) else { throw .notFound }
            try actor.precondition.check(old)
            return CommandDecision(
                [RowWrite<PriorKnowledgeTable>(before: old, after: nil)] + (try state.marking(from: old, to: nil)))
        }
    }
}

extension WriteState {
    fileprivate func knowledge(of book: ResourceID, _ actor: CommandActor) throws(RequestError) -> PriorKnowledge? {
        try query(PriorKnowledgeTable.find(PriorKnowledge.id(of: actor.reader.id, book: book), in: db))
    }

    /// Returns the update of the reader's marks after a change of their knowledge of a book.
    func marking(from old: PriorKnowledge?, to new: PriorKnowledge?) throws(RequestError) -> [any CommandChange] {
        guard let reader = (new ?? old)?.readerKey, try query(MemberTable.rows.count(of: "reader", reader, in: db) > 0)
        else { return [] }
        let values = { (row: PriorKnowledge) in HighWaterMarks.values(row.progress, row.scaled, inBook: row.bookKey) }
        let changes: [HighWaterMarkChange?] = [new.map { .raise(values($0)) }, old.map { .lower(values($0)) }]
        return changes.compactMap { $0 }.map { HighWaterMarkUpdate(reader, $0) }
    }
}
