import JSON
package import Model

extension Command {
    /// The maximum number of shelves of one reader.
    static let shelvesMax = CountLimit("shelvesMax", 100) {
        "You have \($0) shelves, which is the maximum. Delete one first."
    }
    /// The maximum number of books on one shelf.
    static let shelfBooksMax = CountLimit("shelfBooksMax", 1000) {
        "The shelf has \($0) books, which is the maximum."
    }

    /// Creates a shelf of the actor, private or shared with a club of theirs.
    package static func createShelf(_ patch: ShelfPatch) -> Command {
        Command { state, actor throws(RequestError) in
            let count = try state.query(ShelfTable.rows.count(of: "reader", actor.reader.key, in: state.db))
            try shelvesMax.demandRoom(beside: count)
            let blank = Shelf(id: actor.newID, reader: actor.reader, createdAt: actor.now)
            return CommandDecision([
                RowWrite<ShelfTable>(before: nil, after: try state.applied(patch, to: blank, actor))
            ])
        }
    }

    /// Changes a shelf's name or sharing.
    package static func updateShelf(_ id: ResourceID, _ patch: ShelfPatch) -> Command {
        Command { state, actor throws(RequestError) in
            let old = try state.shelf(id, actor)
            try actor.precondition.check(old)
            return CommandDecision([RowWrite<ShelfTable>(before: old, after: try state.applied(patch, to: old, actor))])
        }
    }

    /// Deletes a shelf with its entries. The "Want to read" shelf cannot be deleted.
    package static func deleteShelf(_ id: ResourceID) -> Command {
        deletion(ShelfTable.self) { state, actor throws(RequestError) in
            let old = try state.shelf(id, actor)
            try actor.precondition.check(old)
            guard !old.isWantToRead else {
                throw .refused(.shelfStays, "The shelf Want to read cannot be deleted. Remove its books instead.")
            }
            return old
        }
    }

    /// Adds a book to a shelf, or moves it. Without a place, a new book comes last and an existing one stays.
    package static func putShelfBook(
        _ book: ResourceID, on shelf: ResourceID, _ patch: MergePatch<ShelfBook>
    ) -> Command {
        Command { state, actor throws(RequestError) in
            let shelf = try state.shelf(shelf, actor)
            let book = try state.found(BookTable.find(book, in: state.db))
            let old = try state.query(ShelfBookTable.find(book.id, on: shelf.key, in: state.db))
            try actor.precondition.check(old)
            let extent = try state.query(ShelfBookTable.extent(of: shelf.key, in: state.db))
            if old == nil { try shelfBooksMax.demandRoom(beside: extent.count) }
            let new = ShelfBook(
                id: actor.newID, on: shelf, book, place: min(extent.place + 1, 1_000_000), createdAt: actor.now)
            return CommandDecision([RowWrite<ShelfBookTable>(before: old, after: patch.applied(to: old ?? new))])
        }
    }

    /// Removes a book from a shelf.
    package static func deleteShelfBook(_ book: ResourceID, on shelf: ResourceID) -> Command {
        deletion(ShelfBookTable.self) { state, actor throws(RequestError) in
            let shelf = try state.shelf(shelf, actor)
            return try state.found(ShelfBookTable.find(book, on: shelf.key, in: state.db))
        }
    }
}

extension WriteState {
    /// Returns a shelf of the actor. Others who see it may not change it.
    fileprivate func shelf(_ id: ResourceID, _ actor: CommandActor) throws(RequestError) -> Shelf {
        try found(ShelfTable.find(id, in: db)) { $0.readerKey == actor.reader.key }
    }

    fileprivate func applied(
        _ patch: ShelfPatch, to shelf: Shelf, _ actor: CommandActor
    ) throws(RequestError) -> Shelf {
        var shelf = patch.fields.applied(to: shelf)
        switch patch.club {
        case .absent, .invalid: break
        case .null: shelf.share(with: nil)
        case .value(let id):
            guard let club = try query(ClubTable.find(id, in: db)),
                try query(MemberTable.find(reader: actor.reader.key, club: club.key, in: db)) != nil
            else { throw .violation("/club", "is not one of your clubs") }
            guard !club.isArchived || club.key == shelf.clubKey else {
                throw .refused(
                    .clubArchived,
                    "The club is archived, so nothing can be shared with it. Its owner can set isArchived to false.")
            }
            shelf.share(with: club)
        }
        return shelf
    }
}
