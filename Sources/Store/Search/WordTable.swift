import Model

/// The words that occur in titles and authors of books, each under its parts. Suggestions made of them are verified before
/// they are used.
enum WordTable {
    /// Adds the missing words of a text. The connection remembers the hashes of many words that are in the table, so that
    /// a book with only such words costs almost nothing. They are random in each process, so nobody can construct words
    /// that collide.
    static func add(_ words: [UInt8], in connection: SQLiteConnection) throws(SQLiteError) {
        for word in words.split(separator: UInt8(ascii: " ")) where !connection.knownWords.contains(word.hashValue) {
            if connection.knownWords.count == knownMax { connection.knownWords.removeAll(keepingCapacity: true) }
            try add(word, in: connection)
            connection.knownWords.insert(word.hashValue)
        }
    }

    private static func add(_ word: ArraySlice<UInt8>, in connection: SQLiteConnection) throws(SQLiteError) {
        guard let letters = FoldedWordLetters(word) else { return }
        let insert = try connection.statement("INSERT OR IGNORE INTO words (part, word) VALUES (?1, ?2)")
        insert.bind(at: 2, UTF8Text(Array(word)))
        for (index, key) in MisspellingParts.keys(of: letters).enumerated() {
            try insert.bind(key).run()
            // A word under its first part is also under the others.
            if index == 0, connection.changedCount == 0 { break }
        }
    }

    /// Deletes the words of a text that no book has any more.
    static func deleteUnused(_ words: [UInt8], in connection: SQLiteConnection) throws(SQLiteError) {
        let use = try connection.statement("SELECT 1 FROM books_words WHERE books_words MATCH ?1 LIMIT 1")
        let delete = try connection.statement("DELETE FROM words WHERE part = ?1 AND word = ?2")
        for word in Set(words.split(separator: UInt8(ascii: " "))) {
            let phrase = Array("{title authors} : \"".utf8) + word + [UInt8(ascii: "\"")]
            guard let letters = FoldedWordLetters(word), try !use.bind(UTF8Text(phrase)).hasRow() else { continue }
            connection.knownWords.remove(word.hashValue)
            for key in MisspellingParts.keys(of: letters) { try delete.bind(key, UTF8Text(Array(word))).run() }
        }
    }

    /// Returns the findings about words that are not stored under their parts.
    static func findings(_ connection: SQLiteConnection) throws(SQLiteError) -> [String] {
        let rows = try connection.statement("SELECT part, word FROM words")
        defer { rows.reset() }
        var strays = 0
        while try rows.step() {
            let keys = FoldedWordLetters(rows.bytes(1) ?? []).map(MisspellingParts.keys) ?? []
            if !keys.contains(rows.integer(0)) { strays += 1 }
        }
        let books = try connection.statement("SELECT title, authors FROM books_words")
        defer { books.reset() }
        var lacking = 0
        var known: Set<ArraySlice<UInt8>> = []
        while try books.step() {
            let words = [books.bytes(0), books.bytes(1)].flatMap { ($0 ?? []).split(separator: UInt8(ascii: " ")) }
            for word in words where !known.contains(word) {
                if known.count == knownMax { known.removeAll(keepingCapacity: true) }
                known.insert(word)
                if FoldedWordLetters(word) != nil, try !contains(word, in: connection) { lacking += 1 }
            }
        }
        return (strays == 0 ? [] : ["words: \(strays) are under parts that they do not have"])
            + (lacking == 0 ? [] : ["words: \(lacking) words of books are not under all their parts"])
    }

    /// The maximum number of words that are remembered.
    private static let knownMax = 1 << 16

    /// Returns a Boolean value indicating whether the table contains a word, under all its parts.
    static func contains(_ word: ArraySlice<UInt8>, in connection: SQLiteConnection) throws(SQLiteError) -> Bool {
        guard let letters = FoldedWordLetters(word) else { return false }
        let select = try connection.statement("SELECT 1 FROM words WHERE part = ?1 AND word = ?2")
        for key in MisspellingParts.keys(of: letters) {
            select.bind(key, UTF8Text(Array(word)))
            guard try select.hasRow() else { return false }
        }
        return true
    }
}
