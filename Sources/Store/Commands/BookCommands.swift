public import Model

/// Adds a book to the catalogue.
public struct CreateBook: Command {
    let id: ResourceID
    let patch: BookPatch
    let now: Instant

    /// A book with the members of a whole body.
    public init(id: ResourceID, patch: BookPatch, viewer: Viewer, now: Instant) {
        self.id = id
        self.patch = patch
        self.now = now
    }

    /// Any reader may.
    public func decide(_ state: borrowing WriteState) -> Decision {
        Decision([.book(before: nil, after: patch.applied(to: Book(id: id, createdAt: now)))])
    }
}

/// Makes a book what a whole body says, or adds it under an id that the client chose.
public struct ReplaceBook: Command {
    let id: ResourceID
    let patch: BookPatch
    let precondition: Precondition
    let now: Instant

    /// The book with the members of a whole body.
    public init(id: ResourceID, patch: BookPatch, precondition: Precondition, viewer: Viewer, now: Instant) {
        self.id = id
        self.patch = patch
        self.precondition = precondition
        self.now = now
    }

    /// Any reader may.
    public func decide(_ state: borrowing WriteState) throws(LecternError) -> Decision {
        let id = id
        let old = try state.query { db throws(SQLiteError) in try BookTable.find(id, in: db) }
        try precondition.check(old)
        var new = patch.applied(to: Book(id: id, createdAt: old?.createdAt ?? now))
        if let old {
            new.key = old.key
            new.cardVersion = old.cardVersion
        }
        return Decision([.book(before: old, after: new)])
    }
}

/// Changes some members of a book.
public struct PatchBook: Command {
    let id: ResourceID
    let patch: BookPatch
    let precondition: Precondition

    /// A merge patch of a book.
    public init(id: ResourceID, patch: BookPatch, precondition: Precondition, viewer: Viewer, now: Instant) {
        self.id = id
        self.patch = patch
        self.precondition = precondition
    }

    /// Any reader may.
    public func decide(_ state: borrowing WriteState) throws(LecternError) -> Decision {
        let id = id
        guard let old = try state.query({ db throws(SQLiteError) in try BookTable.find(id, in: db) }) else {
            throw .notFound
        }
        try precondition.check(old)
        return Decision([.book(before: old, after: patch.applied(to: old))])
    }
}

/// Takes a book out of the catalogue.
public struct DeleteBook: Command {
    let id: ResourceID
    let precondition: Precondition

    /// The end of a book.
    public init(id: ResourceID, precondition: Precondition, viewer: Viewer, now: Instant) {
        self.id = id
        self.precondition = precondition
    }

    /// Any reader may, while nobody has a reading of it: a reading without its book would say nothing.
    public func decide(_ state: borrowing WriteState) throws(LecternError) -> Decision {
        let id = id
        guard let old = try state.query({ db throws(SQLiteError) in try BookTable.find(id, in: db) }) else {
            throw .notFound
        }
        try precondition.check(old)
        if try state.query({ db throws(SQLiteError) in try ReadingTable.exists(book: old.key, in: db) }) {
            throw .refused(
                .bookInUse, "Someone reads this book, or has read it: a book goes only when no reading is left of it.")
        }
        if try state.query({ db throws(SQLiteError) in try NoteTable.exists(book: old.key, in: db) }) {
            throw .refused(
                .bookInUse,
                "There are notes on this book, or a club has had some: it goes only when none is left, and no such club."
            )
        }
        if try state.query({ db throws(SQLiteError) in try ClubBookTable.exists(book: old.key, in: db) }) {
            throw .refused(.bookInUse, "A club has this book on its list, or meets about it.")
        }
        return Decision([.book(before: old, after: nil)])
    }
}
