package import Model

extension Command {
    /// Replaces a book's cover with an uploaded image, or removes the uploaded one; see `WriteState.demandCuration`.
    package static func putCover(_ id: ResourceID, _ image: CoverImage?) -> Command {
        Command { state, actor throws(LecternError) in
            let old = try state.found(BookTable.find(id, in: state.db))
            var new = old
            new.coverDigest = image?.digest
            try state.demandCuration(of: old, by: actor.viewer, toBe: new)
            try actor.precondition.check(old)
            let writes: [any ProposedChange] = [RowWrite<BookTable>(before: old, after: new)]
            if new.difference(from: old) == nil { return CommandDecision(writes) }
            return CommandDecision(writes + [CoverImageWrite(book: old.key, image: image)])
        }
    }
}

/// The proposal that stores the image of a book's `coverDigest`, or deletes it.
struct CoverImageWrite: ProposedChange {
    let book: Int64
    let image: CoverImage?

    func apply(to transaction: inout WriteTransaction, _ moment: ChangeMoment) throws(SQLiteError) -> CommandOutcome? {
        transaction.noteSilentWrite()
        guard let image else {
            try transaction.connection.statement("DELETE FROM covers WHERE book = ?1").bind(1, book).run()
            return nil
        }
        try transaction.connection.statement(
            "INSERT INTO covers (book, image) VALUES (?1, ?2) ON CONFLICT (book) DO UPDATE SET image = excluded.image"
        ).bind(1, book).bind(2, .bytes(image.bytes)).run()
        return nil
    }
}

extension ReadConnection {
    /// Returns the uploaded cover of a book, or `nil` if there is none.
    package func cover(of book: ResourceID) throws(LecternError) -> CoverImage? {
        let bytes = try query { db throws(SQLiteError) in
            try db.statement("SELECT image FROM covers JOIN books ON books.key = covers.book WHERE books.id = ?1")
                .bind(1, book).first { $0.blob(0) }
        }
        return bytes.flatMap { CoverImage($0) }
    }
}
