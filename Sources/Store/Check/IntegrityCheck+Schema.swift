import CSQLite
import Synchronization

extension IntegrityCheck {
    /// Compares the schema with the one that the migrations to its version create. A foreign trigger could write
    /// anything, and a missing unique index would allow duplicate rows.
    static func schema(_ connection: SQLiteConnection, version: Int64) throws(SQLiteError) -> [String] {
        let (expected, there) = (try expected(version), try objects(of: connection))
        var found: [String] = []
        for (name, text) in expected where !(there[name].map { isSame(text, $0) } ?? false) {
            found.append("schema: \(name) is \(there[name] == nil ? "missing" : "another than version \(version) has")")
        }
        for name in there.keys where expected[name] == nil {
            found.append("schema: \(name) is not part of version \(version)")
        }
        return Array(found.sorted().prefix(findingsMax))
    }

    private typealias Objects = [String: [UInt8]]

    /// The objects that all embedded migrations create, cached because SQLite takes milliseconds to parse them.
    private static let newest = Mutex<Objects?>(nil)

    private static func expected(_ version: Int64) throws(SQLiteError) -> Objects {
        let isNewest = version == Migrations.embedded.count
        if isNewest, let known = newest.withLock({ $0 }) { return known }
        let reference = try SQLiteConnection(
            path: ":memory:", flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY)
        try DatabaseSchema.migrate(reference, from: 0, to: version)
        let objects = try objects(of: reference)
        if isNewest { newest.withLock { $0 = objects } }
        return objects
    }

    /// Returns the objects of a schema, such as "index books_isbn", each with its table and its text. The tables of
    /// SQLite's planner are left out, but not triggers with their names.
    private static func objects(of connection: SQLiteConnection) throws(SQLiteError) -> Objects {
        let rows = try connection.statement(
            once:
                "SELECT type || ' ' || name, tbl_name, sql FROM sqlite_schema WHERE NOT (type = 'table' AND name IN ('sqlite_stat1', 'sqlite_stat4'))"
        )
        defer { rows.reset() }
        let transaction = try connection.number("PRAGMA application_id") ?? 0
        var objects = ["application id": Array("\(transaction)".utf8)]
        while try rows.step() {
            objects[rows.text(0)] = Array((rows.text(1) + " " + (rows.optionalText(2) ?? "")).utf8)
        }
        return objects
    }

    private static func isSame(_ text: [UInt8], _ other: [UInt8]) -> Bool {
        text == other || searchIndexRules(of: text) == searchIndexRules(of: other)
    }

    /// Returns a text of the schema without differences that have no meaning: comments, spacing, and the quotes that
    /// SQLite puts around the names that it rewrites.
    private static func searchIndexRules(of text: [UInt8]) -> [UInt8] {
        var words: [UInt8] = []
        var (place, isApart) = (0, false)
        while place < text.count {
            let byte = text[place]
            if byte == 0x20 || (0x09...0x0D).contains(byte) {
                (place, isApart) = (place + 1, true)
                continue
            }
            if text[place...].starts(with: "--".utf8) {
                (place, isApart) = (text[place...].firstIndex(of: 0x0A) ?? text.count, true)
                continue
            }
            let word = quoted(text[place...]) ?? text[place..<place + 1]
            if isApart, !words.isEmpty { words.append(0x20) }
            isApart = false
            words +=
                isName(word.dropFirst().dropLast()) && byte == UInt8(ascii: "\"") ? word.dropFirst().dropLast() : word
            place = word.endIndex
        }
        return words
    }

    /// Returns the quoted text at the beginning, with its quotes. It cannot contain comments.
    private static func quoted(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let first = text.first, let kind = "\"'`[".utf8.firstIndex(of: first) else { return nil }
        let last = "\"'`]".utf8[kind]
        return text.dropFirst().firstIndex(of: last).map { text[...$0] } ?? text
    }

    private static func isName(_ text: ArraySlice<UInt8>) -> Bool {
        !text.isEmpty
            && text.allSatisfy { byte in
                byte == UInt8(ascii: "_") || (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
            }
    }
}
