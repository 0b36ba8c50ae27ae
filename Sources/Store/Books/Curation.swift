import Model

extension WriteState {
    /// Refuses who may not change or delete a book that others can have come to rely on: everyone shares the catalogue.
    ///
    /// Librarians and administrators may. Readers may as long as a book is theirs alone, or always where the house is open.
    /// Why it is refused is not told apart: whether others have a reading, a note or a club with a book is their own business.
    func demandCuration(of book: Book, by viewer: Viewer) throws(LecternError) {
        guard viewer.role == .reader, !isCatalogueOpen else { return }
        guard try read(BookTable.isOnly(of: viewer.readerKey, book: book.key, in: db)) else {
            throw .refused(
                .librariansOnly,
                "Only librarians may change or delete this book: you did not add it, or it is not yours alone any more."
            )
        }
    }

    /// The same of a change, which may be none: then it is everybody's.
    func demandCuration(of book: Book, by viewer: Viewer, toBe new: Book) throws(LecternError) {
        guard viewer.role == .reader, !isCatalogueOpen, new.difference(from: book) != nil else { return }
        try demandCuration(of: book, by: viewer)
    }
}

extension Viewer {
    /// Who is kept as the one who added a book: what librarians and administrators add is the house's.
    var adder: Int64? { role == .reader ? readerKey : nil }
}
