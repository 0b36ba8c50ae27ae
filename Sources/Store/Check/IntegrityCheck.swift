import CSQLite
import Glibc
import JSON
import Model

/// The checks for damage.
enum IntegrityCheck {
    /// The maximum number of findings per rule.
    static let findingsMax = 100

    /// Runs SQLite's quick check and returns at most ten findings.
    static func quickFindings(_ connection: SQLiteConnection) throws(SQLiteError) -> [String] {
        try findings(connection, "PRAGMA quick_check(10)")
    }

    /// Runs all checks of a database that no server has open: SQLite's pages and references, the rules of each table,
    /// and the rows against the log.
    static func allFindings(_ connection: SQLiteConnection) throws(SQLiteError) -> [String] {
        let pages = try findings(connection, pages)
        // With broken pages other findings are only noise, and another schema cannot be queried.
        guard pages.isEmpty else { return pages }
        let schema = try schema(connection, version: DatabaseSchema.newest)
        guard schema.isEmpty else { return schema }
        var all = try findings(connection, references)
        for table in StoredTable.all {
            for rule in table.rules { all += try findings(connection, rule) }
            all += try texts(of: table, connection)
            if let resource = table.resource {
                all += try decoding { () throws(SQLiteError) in try rows(resource, in: table, connection) }
            }
        }
        for rule in IntegrityRules.ofLog { all += try findings(connection, rule) }
        all += try decoding { () throws(SQLiteError) in try SearchIndex.findings(connection) }
        return try all + decoding { () throws(SQLiteError) in try log(connection) }
    }

    /// Returns the findings of a part of the check. A row that cannot be decoded is one.
    private static func decoding(_ part: () throws(SQLiteError) -> [String]) throws(SQLiteError) -> [String] {
        do throws(SQLiteError) { return try part() } catch {
            guard error.isUndecodable else { throw error }
            return [error.message]
        }
    }

    /// Runs the checks that are possible for a database of an older version.
    static func fileFindings(_ connection: SQLiteConnection, version: Int64) throws(SQLiteError) -> [String] {
        let pages = try findings(connection, pages)
        guard pages.isEmpty else { return pages }
        return try schema(connection, version: version) + findings(connection, references)
    }

    private static let pages = "PRAGMA integrity_check(100)"

    private static let references = """
        SELECT 'foreign key of ' || "table" || ' row ' || coalesce(rowid, '?') || ': there is no such row in ' || parent
        FROM pragma_foreign_key_check
        """

    /// Returns the findings of a query. Damage is a finding; a failure to read is an error.
    private static func findings(_ connection: SQLiteConnection, _ sql: String) throws(SQLiteError) -> [String] {
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

    /// Checks that text is UTF-8.
    private static func texts(of table: StoredTable, _ connection: SQLiteConnection) throws(SQLiteError) -> [String] {
        let columns = try connection.statement(
            once: "SELECT name FROM pragma_table_info('\(table.name)') WHERE type IN ('TEXT', 'ANY')"
        ).all { $0.text(0) }
        guard !columns.isEmpty else { return [] }
        var found: [String] = []
        let rows = try connection.statement(once: "SELECT \(columns.joined(separator: ", ")) FROM \(table.name)")
        defer { rows.reset() }
        var number = 0
        while found.count < findingsMax, try rows.step() {
            number += 1
            for (index, column) in columns.enumerated() {
                guard !rows.isBlob(Int32(index)), let text = rows.bytes(Int32(index)) else { continue }
                if String(validating: text, as: UTF8.self) == nil {
                    found.append("\(table.name): \(column) of row \(number) is not UTF-8")
                }
            }
        }
        return found
    }
}
