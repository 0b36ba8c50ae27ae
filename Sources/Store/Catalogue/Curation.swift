import Model

extension WriteState {
    /// Throws if the viewer may not change or delete a book, because all readers share the catalogue and may rely on
    /// it.
    ///
    /// Librarians and administrators may. A reader may while only they use a book that they added, or always in an open
    /// catalogue. The error has one text for all reasons, because the use of a book by others is private.
    func demandCuration(of book: Book, by viewer: Viewer) throws(RequestError) {
        guard viewer.role == .reader, !isCatalogueOpen else { return }
        guard try query(BookTable.isOnly(of: viewer.readerKey, book: book.key, in: db)) else {
            throw .refused(
                .librariansOnly,
                "Only librarians may change or delete this book: you did not add it, or other readers use it."
            )
        }
    }

    /// Throws if the viewer may not make this change. A change without a difference is always allowed.
    func demandCuration(of book: Book, by viewer: Viewer, toBe new: Book) throws(RequestError) {
        guard viewer.role == .reader, !isCatalogueOpen, new.difference(from: book) != nil else { return }
        try demandCuration(of: book, by: viewer)
    }
}

extension Viewer {
    /// The reader who is stored as the one who added a book, or `nil` for librarians and administrators.
    var adder: Int64? { role == .reader ? readerKey : nil }
}
