package import Model

extension Command {
    /// Replaces a book's cover with an uploaded image, or removes the uploaded one; see `WriteState.demandCuration`.
    package static func putCover(_ id: ResourceID, _ image: CoverImage?) -> Command {
        Command { state, asker throws(LecternError) in
            let old = try state.found(BookTable.find(id, in: state.db))
            var new = old
            new.coverDigest = image?.digest
            try state.demandCuration(of: old, by: asker.viewer, toBe: new)
            try asker.precondition.check(old)
            let writes: [any Proposal] = [Write<BookTable>(before: old, after: new)]
            if new.difference(from: old) == nil { return Decision(writes) }
            return Decision(writes + [CoverWrite(book: old.key, image: image)])
        }
    }
}

/// The proposal that stores the image of a book's `coverDigest`, or deletes it.
struct CoverWrite: Proposal {
    let book: Int64
    let image: CoverImage?

    func apply(to application: inout Application, _ moment: Moment) throws(SQLiteError) -> Outcome? {
        application.noteSilentWrite()
        guard let image else {
            try application.connection.statement("DELETE FROM covers WHERE book = ?1").bind(1, book).run()
            return nil
        }
        try application.connection.statement(
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
