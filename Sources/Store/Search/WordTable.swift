import CSQLite
import Model

/// The words that occur, or once occurred, in titles and authors of books, each under its parts. None is taken away: what is
/// made of them is asked before it is said.
enum WordTable {
    /// Adds the words of a text that are not there yet.
    static func add(_ text: SearchText, in connection: Connection) throws(SQLiteError) {
        var start = 0
        var hash = seed
        for (index, byte) in text.bytes.enumerated() {
            if byte > UInt8(ascii: " ") {
                hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
                continue
            }
            try add(text.bytes[start..<index], hash, in: connection)
            start = index + 1
            hash = seed
        }
        try add(text.bytes[start...], hash, in: connection)
    }

    /// FNV-1a, from another beginning in each process: nobody can know which words would be taken for others.
    private static let seed = UInt64.random(in: .min ... .max)

    private static func add(
        _ word: ArraySlice<UInt8>, _ hash: UInt64, in connection: Connection
    ) throws(SQLiteError) {
        guard !connection.knownWords.contains(hash) else { return }
        if let letters = Letters(word) {
            let insert = try connection.statement("INSERT OR IGNORE INTO words (part, word) VALUES (?1, ?2)")
            insert.bind(2, text: Array(word))
            for key in WordParts.keys(of: letters) {
                try insert.bind(1, key).run()
                guard sqlite3_changes(connection.handle) > 0 else { break }
            }
        }
        connection.knownWords.note(hash)
    }

    /// Whether a word is there.
    static func contains(_ word: ArraySlice<UInt8>, in connection: Connection) throws(SQLiteError) -> Bool {
        guard let key = Letters(word).map(WordParts.keys)?.first else { return false }
        return try connection.statement("SELECT 1 FROM words WHERE part = ?1 AND word = ?2").bind(1, key)
            .bind(2, text: Array(word)).first { _ in true } ?? false
    }
}
