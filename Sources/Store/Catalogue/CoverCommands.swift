package import Model

extension Command {
    /// Replaces a book's cover with an uploaded image, or removes the uploaded one; see `WriteState.demandCuration`.
    package static func putCover(_ id: ResourceID, _ image: CoverImage?) -> Command {
        Command { state, actor throws(RequestError) in
            let old = try state.found(BookTable.find(id, in: state.db))
            var new = old
            new.coverDigest = image?.digest
            try state.demandCuration(of: old, by: actor.viewer, toBe: new)
            try actor.precondition.check(old)
            let writes: [any CommandChange] = [RowWrite<BookTable>(before: old, after: new)]
            if new.difference(from: old) == nil { return CommandDecision(writes) }
            return CommandDecision(writes + [CoverTable.setting(image, ofBook: old.key)])
        }
    }
}

/// The table of uploaded covers.
enum CoverTable {
    /// Returns the change that stores the image of a book's `coverDigest`, or deletes it.
    static func setting(_ image: CoverImage?, ofBook book: Int64) -> UnloggedWrite {
        image.map {
            UnloggedWrite(
                "INSERT INTO covers (book, image) VALUES (?1, ?2) ON CONFLICT (book) DO UPDATE SET image = excluded.image",
                book, DatabaseValue.bytes($0.bytes))
        } ?? UnloggedWrite("DELETE FROM covers WHERE book = ?1", book)
    }
}

extension ReadConnection {
    /// Returns the uploaded cover of a book, or `nil` if there is none.
    package func cover(of book: ResourceID) throws(RequestError) -> CoverImage? {
        let bytes = try query(
            db.statement("SELECT image FROM covers JOIN books ON books.key = covers.book WHERE books.id = ?1")
                .bind(book).first { $0.blob(0) })
        return bytes.flatMap { CoverImage($0) }
    }
}
