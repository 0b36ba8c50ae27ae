package import Model

extension Command {
    /// Creates a book with the members of the body. Any reader may.
    package static func createBook(_ patch: BookPatch) -> Command {
        Command { _, actor in
            var book = patch.applied(to: Book(id: actor.newID, createdAt: actor.now))
            book.adderKey = actor.viewer.adder
            return CommandDecision([RowWrite<BookTable>(before: nil, after: book)])
        }
    }

    /// Creates a book under the client's id, or replaces the version that the request names. Any reader may create a
    /// book; for replacing one see `WriteState.demandCuration`.
    package static func putBook(_ id: ResourceID, _ patch: BookPatch) -> Command {
        Command { state, actor throws(RequestError) in
            let old = try state.query(BookTable.find(id, in: state.db))
            var new = patch.applied(to: Book(id: id, createdAt: old?.createdAt ?? actor.now))
            if let old {
                new.key = old.key
                new.cardVersion = old.cardVersion
                new.coverDigest = old.coverDigest
                try state.demandCuration(of: old, by: actor.viewer, toBe: new)
            } else {
                new.adderKey = actor.viewer.adder
            }
            try actor.precondition.checkReplacement(of: old, by: new)
            return CommandDecision(
                [RowWrite<BookTable>(before: old, after: new)] + (try state.titleChanges(old, as: new)))
        }
    }

    /// Changes some members of a book; see `WriteState.demandCuration`.
    package static func updateBook(_ id: ResourceID, _ patch: BookPatch) -> Command {
        Command { state, actor throws(RequestError) in
            let old = try state.found(BookTable.find(id, in: state.db))
            let new = patch.applied(to: old)
            try state.demandCuration(of: old, by: actor.viewer, toBe: new)
            try actor.precondition.check(old)
            return CommandDecision(
                [RowWrite<BookTable>(before: old, after: new)] + (try state.titleChanges(old, as: new)))
        }
    }

    /// Deletes a book unless it is in use, because a reading needs its book; see `WriteState.demandCuration`. The error
    /// does not say how the book is used.
    package static func deleteBook(_ id: ResourceID) -> Command {
        deletion(BookTable.self) { state, actor throws(RequestError) in
            let old = try state.found(BookTable.find(id, in: state.db))
            try state.demandCuration(of: old, by: actor.viewer)
            try actor.precondition.check(old)
            guard try !state.query(BookTable.isInUse(old.key, in: state.db)) else {
                throw .refused(
                    .bookInUse,
                    "A book can be deleted when no reading, knowledge, note, shelf or club refers to it."
                )
            }
            return old
        }
    }
}

extension WriteState {
    /// Returns the book that a body names.
    func book(named id: ResourceID) throws(RequestError) -> Book {
        guard let book = try query(BookTable.find(id, in: db)) else {
            throw .violation("/book", "there is no such book")
        }
        return book
    }

    /// Returns the writes for the runs and meetings that show the title of a book.
    func titleChanges(_ old: Book?, as new: Book) throws(RequestError) -> [any CommandChange] {
        guard let old, !old.title.utf8.elementsEqual(new.title.utf8) else { return [] }
        return try copying(new.title, of: .title, old.key)
    }
}
