import CSQLite
import Glibc
import JSON
import Model

/// Looks for damage.
enum Integrity {
    /// Findings of one rule that are said.
    static let findingsMax = 100

    /// SQLite's own quick check, at most ten findings.
    static func quickFindings(_ connection: Connection) throws(SQLiteError) -> [String] {
        try findings(connection, "PRAGMA quick_check(10)")
    }

    /// Everything that can be checked of a database that no server has open: SQLite's pages and references, what must be so
    /// of each table's rows, and the rows against the log.
    static func allFindings(_ connection: Connection) throws(SQLiteError) -> [String] {
        let pages = try findings(connection, pages)
        // What else is said of broken pages would only be noise, and a schema that is another cannot be asked.
        guard pages.isEmpty else { return pages }
        let schema = try schema(connection, version: Schema.newest)
        guard schema.isEmpty else { return schema }
        var all = try findings(connection, references)
        for table in StoredTable.all {
            for rule in table.rules { all += try findings(connection, rule) }
            all += try texts(of: table, connection)
            if let resources = table.resources { all += try rows(of: table.name, resources, connection) }
        }
        for rule in Rules.told { all += try findings(connection, rule) }
        return try all + SearchIndex.findings(connection) + log(connection)
    }

    /// What can be checked of a database of an older version.
    static func fileFindings(_ connection: Connection, version: Int64) throws(SQLiteError) -> [String] {
        let pages = try findings(connection, pages)
        guard pages.isEmpty else { return pages }
        return try schema(connection, version: version) + findings(connection, references)
    }

    private static let pages = "PRAGMA integrity_check(100)"

    private static let references = """
        SELECT 'foreign key of ' || "table" || ' row ' || coalesce(rowid, '?') || ': there is no such row in ' || parent
        FROM pragma_foreign_key_check
        """

    /// What a query found. That the file is damaged is a finding; that it cannot be read now is an error.
    private static func findings(_ connection: Connection, _ sql: String) throws(SQLiteError) -> [String] {
        do throws(SQLiteError) {
            let statement = try connection.statement(once: sql)
            defer { statement.reset() }
            var found: [String] = []
            while found.count < findingsMax, try statement.step() {
                let text = statement.text(0)
                if text != "ok" { found.append(text) }
            }
            return found
        } catch {
            // SQLite's JSON functions fail on a text that is not JSON.
            guard error.isDamage || error.message == "malformed JSON" else { throw error }
            return [error.message]
        }
    }

    /// Text is UTF-8, and JSON where it should be.
    private static func texts(of table: StoredTable, _ connection: Connection) throws(SQLiteError) -> [String] {
        let columns = try connection.statement(
            once: "SELECT name FROM pragma_table_info('\(table.name)') WHERE type = 'TEXT'"
        ).all { $0.text(0) }
        guard !columns.isEmpty else { return [] }
        var found: [String] = []
        let rows = try connection.statement(once: "SELECT \(columns.joined(separator: ", ")) FROM \(table.name)")
        defer { rows.reset() }
        var number = 0
        while found.count < findingsMax, try rows.step() {
            number += 1
            for (index, column) in columns.enumerated() {
                guard let text = rows.bytes(Int32(index)) else { continue }
                if String(validating: text, as: UTF8.self) == nil {
                    found.append("\(table.name): \(column) of row \(number) is not UTF-8")
                    // The kind of error does not matter here.
                } else if table.json.contains(column), (try? JSONDocument(text)) == nil {
                    found.append("\(table.name): \(column) of row \(number) is not JSON")
                }
            }
        }
        return found
    }
}
