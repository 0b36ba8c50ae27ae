import JSON
import Model

/// Rows of books, and the words they are found by.
enum BookTable: Table {
    static let columns = """
        books.key, books.id, books.version, card_version, title, authors, isbn, page_count, language, published_year, \
        cover_url, created_at, updated_at
        """

    static func row(_ statement: Statement) -> Book {
        var book = Book(id: statement.id(1), title: statement.text(4), createdAt: statement.instant(11))
        book.key = statement.integer(0)
        book.version = statement.integer(2)
        book.cardVersion = statement.integer(3)
        book.authors = authors(statement.bytes(5) ?? [])
        book.isbn = statement.optionalText(6)
        book.pageCount = statement.optionalInt32(7)
        book.language = statement.optionalText(8)
        book.publishedYear = statement.optionalInt32(9)
        book.coverURL = statement.optionalText(10)
        book.updatedAt = statement.instant(12)
        return book
    }

    static func find(_ id: ResourceID, in connection: Connection) throws(SQLiteError) -> Book? {
        try connection.statement(
            """
            SELECT books.key, books.id, books.version, card_version, title, authors, isbn, page_count, language,
                published_year, cover_url, created_at, updated_at
            FROM books WHERE id = ?1
            """
        ).bind(1, id).first(row)
    }

    static func find(key: Int64, in connection: Connection) throws(SQLiteError) -> Book? {
        try connection.statement(
            """
            SELECT books.key, books.id, books.version, card_version, title, authors, isbn, page_count, language,
                published_year, cover_url, created_at, updated_at
            FROM books WHERE key = ?1
            """
        ).bind(1, key).first(row)
    }

    /// Whether a reader added a book, and nobody else has a reading of it, a note on it, or a club that reads it, meets about
    /// it or has notes on it.
    static func isOnly(of reader: Int64, book: Int64, in connection: Connection) throws(SQLiteError) -> Bool {
        try connection.statement(
            """
            SELECT 1 FROM books WHERE key = ?1 AND added_by = ?2
                AND NOT EXISTS (SELECT 1 FROM readings WHERE book = ?1 AND reader <> ?2)
                AND NOT EXISTS (SELECT 1 FROM notes WHERE book = ?1 AND author <> ?2 AND body IS NOT NULL)
                AND NOT EXISTS (SELECT 1 FROM notes JOIN members ON members.club = notes.club
                    WHERE notes.book = ?1 AND members.reader <> ?2 AND notes.body IS NOT NULL)
                AND NOT EXISTS (SELECT 1 FROM club_books JOIN members ON members.club = club_books.club
                    WHERE club_books.book = ?1 AND members.reader <> ?2)
                AND NOT EXISTS (SELECT 1 FROM meetings JOIN members ON members.club = meetings.club
                    WHERE meetings.book = ?1 AND members.reader <> ?2)
            """
        ).bind(1, book).bind(2, reader).first { _ in true } ?? false
    }

    /// Whether anybody has anything with a book. Of a club's notes what is left of those that are deleted counts too: who was
    /// told of them must be told that they went.
    static func isInUse(_ book: Int64, in connection: Connection) throws(SQLiteError) -> Bool {
        try connection.statement(
            """
            SELECT 1 WHERE EXISTS (SELECT 1 FROM readings WHERE book = ?1)
                OR EXISTS (SELECT 1 FROM notes WHERE book = ?1 AND (body IS NOT NULL OR club IS NOT NULL))
                OR EXISTS (SELECT 1 FROM club_books WHERE book = ?1) OR EXISTS (SELECT 1 FROM meetings WHERE book = ?1)
            """
        ).bind(1, book).first { _ in true } ?? false
    }

    static func insert(_ book: Book, in connection: Connection) throws(SQLiteError) -> Int64 {
        let statement = try connection.statement(
            """
            INSERT INTO books (version, card_version, title, sort_title, authors, isbn, page_count, language,
                published_year, cover_url, updated_at, id, created_at, added_by)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)
            """)
        let words = BookWords(of: book)
        try bind(book, words, to: statement).bind(12, book.id).bind(13, book.createdAt)
            .bind(14, book.adderKey).run()
        let key = connection.lastInsertedKey
        try connection.statement("INSERT INTO books_words (title, authors, rowid) VALUES (?1, ?2, ?3)")
            .bind(1, text: words.ofTitle.bytes).bind(2, text: words.ofAuthors.bytes).bind(3, key).run()
        return key
    }

    static func update(_ book: Book, changed: FieldSet, in connection: Connection) throws(SQLiteError) {
        let statement = try connection.statement(
            """
            UPDATE books SET version = ?1, card_version = ?2, title = ?3, sort_title = ?4, authors = ?5, isbn = ?6,
                page_count = ?7, language = ?8, published_year = ?9, cover_url = ?10, updated_at = ?11
            WHERE key = ?12
            """)
        let words = BookWords(of: book)
        try bind(book, words, to: statement).bind(12, book.key).run()
        guard !changed.isDisjoint(with: wordFields) else { return }
        try connection.statement("UPDATE books_words SET title = ?1, authors = ?2 WHERE rowid = ?3")
            .bind(1, text: words.ofTitle.bytes).bind(2, text: words.ofAuthors.bytes).bind(3, book.key).run()
    }

    /// Title and authors.
    private static let wordFields: FieldSet = [FieldSet(index: 0), FieldSet(index: 1)]

    static func delete(_ book: Book, in connection: Connection) throws(SQLiteError) {
        // What is left of deleted notes; those that are there keep the book.
        try connection.statement("DELETE FROM notes WHERE book = ?1 AND body IS NULL AND club IS NULL").bind(
            1, book.key
        ).run()
        try connection.statement("DELETE FROM books_words WHERE rowid = ?1").bind(1, book.key).run()
        try connection.statement("DELETE FROM books WHERE key = ?1").bind(1, book.key).run()
    }

    static func scope(of row: Book, key: Int64, in connection: Connection) -> Scope { .everyone }

    private static func bind(_ book: Book, _ words: BookWords, to statement: Statement) -> Statement {
        statement.bind(1, book.version).bind(2, book.cardVersion).bind(3, book.title)
            .bind(4, text: sortTitle(words.ofTitle)).bind(5, text: encoded(book.authors)).bind(6, book.isbn)
            .bind(7, book.pageCount).bind(8, book.language).bind(9, book.publishedYear).bind(10, book.coverURL)
            .bind(11, book.updatedAt)
    }

    /// What titles are sorted by: the folded one, as far as a cursor can carry it (some characters fold to eighteen).
    static func sortTitle(_ title: SearchText) -> [UInt8] {
        guard title.bytes.count > sortTitleBytesMax else { return title.bytes }
        var end = sortTitleBytesMax
        // Not within a character.
        while title.bytes[end] & 0xC0 == 0x80 { end -= 1 }
        return Array(title.bytes[..<end])
    }

    private static let sortTitleBytesMax = 2000

    private static func encoded(_ authors: [String]) -> [UInt8] {
        var json = JSONWriter(capacity: 64)
        json.strings(authors)
        return json.bytes
    }

    static func authors(_ encoded: [UInt8]) -> [String] {
        guard let document = try? JSONDocument(encoded) else { return [] }
        return document.root.elements.compactMap(\.string)
    }

    static func stamp(_ book: inout Book, over old: Book?, _ seq: Int64) {
        book.version = seq
        let changed = old.flatMap { book.difference(from: $0) }?.changed ?? []
        if old == nil || !changed.isDisjoint(with: Book.fieldsOfCard) { book.cardVersion = seq }
    }
}
