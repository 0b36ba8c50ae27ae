package import Model

/// Adds a book to the catalogue.
package struct CreateBook: Command {
    let id: ResourceID
    let patch: BookPatch
    let viewer: Viewer
    let now: Instant

    /// A book with the members of a whole body.
    package init(id: ResourceID, patch: BookPatch, viewer: Viewer, now: Instant) {
        self.id = id
        self.patch = patch
        self.viewer = viewer
        self.now = now
    }

    /// Any reader may.
    package func decide(_ state: borrowing WriteState) -> Decision {
        var book = patch.applied(to: Book(id: id, createdAt: now))
        book.adderKey = viewer.adder
        return Decision([Write<BookTable>(before: nil, after: book)])
    }
}

/// Makes a book what a whole body says, or adds it under an id that the client chose.
package struct ReplaceBook: Command {
    let id: ResourceID
    let patch: BookPatch
    let precondition: Precondition
    let viewer: Viewer
    let now: Instant

    /// The book with the members of a whole body.
    package init(id: ResourceID, patch: BookPatch, precondition: Precondition, viewer: Viewer, now: Instant) {
        self.id = id
        self.patch = patch
        self.precondition = precondition
        self.viewer = viewer
        self.now = now
    }

    /// Any reader may add a book; who may change one, see `WriteState.demandCuration`.
    package func decide(_ state: borrowing WriteState) throws(LecternError) -> Decision {
        let id = id
        let old = try state.query { db throws(SQLiteError) in try BookTable.find(id, in: db) }
        var new = patch.applied(to: Book(id: id, createdAt: old?.createdAt ?? now))
        if let old {
            new.key = old.key
            new.cardVersion = old.cardVersion
            try state.demandCuration(of: old, by: viewer, toBe: new)
        } else {
            new.adderKey = viewer.adder
        }
        try precondition.check(old)
        return Decision([Write<BookTable>(before: old, after: new)])
    }
}

/// Changes some members of a book.
package struct PatchBook: Command {
    let id: ResourceID
    let patch: BookPatch
    let precondition: Precondition
    let viewer: Viewer

    /// A merge patch of a book.
    package init(id: ResourceID, patch: BookPatch, precondition: Precondition, viewer: Viewer, now: Instant) {
        self.id = id
        self.patch = patch
        self.precondition = precondition
        self.viewer = viewer
    }

    /// See `WriteState.demandCuration`.
    package func decide(_ state: borrowing WriteState) throws(LecternError) -> Decision {
        let id = id
        guard let old = try state.query({ db throws(SQLiteError) in try BookTable.find(id, in: db) }) else {
            throw .notFound
        }
        let new = patch.applied(to: old)
        try state.demandCuration(of: old, by: viewer, toBe: new)
        try precondition.check(old)
        return Decision([Write<BookTable>(before: old, after: new)])
    }
}

/// Takes a book out of the catalogue.
package struct DeleteBook: Command {
    let id: ResourceID
    let precondition: Precondition
    let viewer: Viewer

    /// The end of a book.
    package init(id: ResourceID, precondition: Precondition, viewer: Viewer, now: Instant) {
        self.id = id
        self.precondition = precondition
        self.viewer = viewer
    }

    /// See `WriteState.demandCuration`; and only while nobody has anything with it: a reading without its book would say
    /// nothing. What it is that somebody has is not told.
    package func decide(_ state: borrowing WriteState) throws(LecternError) -> Decision {
        let id = id
        guard let old = try state.query({ db throws(SQLiteError) in try BookTable.find(id, in: db) }) else {
            throw .notFound
        }
        try state.demandCuration(of: old, by: viewer)
        try precondition.check(old)
        guard try !state.query({ db throws(SQLiteError) in try BookTable.isInUse(old.key, in: db) }) else {
            throw .refused(.bookInUse, "A book goes only when no reading, no note and no club is left that has it.")
        }
        return Decision([Write<BookTable>(before: old, after: nil)])
    }
}
