import CSQLite

extension Integrity {
    /// The schema is what the steps to its version make in a new database, no more and no less: a trigger of somebody else's
    /// writes what nobody asked for, and without a unique index two rows come to be where there may be one.
    static func schema(_ connection: Connection, version: Int64) throws(SQLiteError) -> [String] {
        let reference = try Connection(
            path: ":memory:", flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY)
        try Schema.migrate(reference, from: 0, to: version)
        let (expected, there) = (try objects(of: reference), try objects(of: connection))
        var found: [String] = []
        for (name, text) in expected where there[name] != text {
            found.append("schema: \(name) is \(there[name] == nil ? "missing" : "another than version \(version) has")")
        }
        for name in there.keys where expected[name] == nil {
            found.append("schema: \(name) is none of version \(version)'s")
        }
        return Array(found.sorted().prefix(findingsMax))
    }

    /// The objects of a schema, such as "index books_isbn", and the words of their texts. What SQLite keeps for its planner is
    /// nobody's; but a trigger may be called like that, too.
    private static func objects(of connection: Connection) throws(SQLiteError) -> [String: [UInt8]] {
        let rows = try connection.statement(
            once:
                "SELECT type || ' ' || name, tbl_name, sql FROM sqlite_schema WHERE NOT (type = 'table' AND name IN ('sqlite_stat1', 'sqlite_stat4'))"
        )
        defer { rows.reset() }
        let application = try connection.number("PRAGMA application_id") ?? 0
        var objects = ["application id": Array("\(application)".utf8)]
        while try rows.step() {
            objects[rows.text(0)] = Array((rows.text(1) + " " + words(of: rows.optionalText(2) ?? "")).utf8)
        }
        return objects
    }

    /// A text of the schema without what says nothing: comments, how its words are set apart, and the quotes that SQLite
    /// sets about a name that it wrote itself.
    private static func words(of sql: String) -> String {
        sql.split(separator: "\n").flatMap { line in
            let end = line.firstRange(of: "--")?.lowerBound ?? line.endIndex
            return line[..<end].filter { $0 != "\"" }.split(whereSeparator: \.isWhitespace)
        }.joined(separator: " ")
    }
}
