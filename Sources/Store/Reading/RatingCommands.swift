package import Model

extension Command {
    /// Rates a reading of the actor, or changes its rating. Without `noteId` the rating keeps its review.
    package static func putRating(of reading: ResourceID, _ patch: MergePatch<Rating>) -> Command {
        Command { state, actor throws(RequestError) in
            let reading = try state.reading(reading, of: actor)
            let old = try state.query(RatingTable.find(reading.id, in: state.db))
            try actor.precondition.check(old)
            let new = patch.applied(to: old ?? Rating(of: reading, createdAt: actor.now))
            guard try state.canReview(with: new.noteID, reading) else {
                throw .violation("/noteId", "is not one of your notes about this book")
            }
            return CommandDecision([RowWrite<RatingTable>(before: old, after: new)])
        }
    }

    /// Deletes the rating of a reading of the actor, but not its review.
    package static func deleteRating(of reading: ResourceID) -> Command {
        deletion(RatingTable.self) { state, actor throws(RequestError) in
            let reading = try state.reading(reading, of: actor)
            return try state.found(RatingTable.find(reading.id, in: state.db))
        }
    }
}

extension WriteState {
    /// Returns a Boolean value indicating whether a note can be the review of a reading: a note of its reader about its
    /// book, or none.
    func canReview(with note: ResourceID?, _ reading: Reading) throws(RequestError) -> Bool {
        guard let note else { return true }
        let found = try query(NoteTable.find(note, in: db))
        return found.map { $0.authorKey == reading.readerKey && $0.bookKey == reading.bookKey } ?? false
    }
}
