import Bytes
import CSQLite
import Foundation
import Glibc
import Model

/// A closed database of this program, which a test converts to one with fewer tables or other rows.
package struct OldSchema {
    package let database: String
    private var end: String { (database as NSString).deletingLastPathComponent + "/lectern.end" }

    package struct Refused: Error { let text: String }

    /// Uses `lectern.sqlite` of a directory that no server has open.
    package init(_ database: String) { self.database = database }

    /// Removes the tables of the last migration, which have no rows that tests need. The next start then upgrades.
    package func removeLastStep() throws {
        let steps = try Self.steps()
        let tables = steps[steps.count - 1].matches(of: #/CREATE TABLE (\w+)/#).map { "DROP TABLE \($0.output.1);" }
        let connection = try Raw(database)
        try connection.execute("BEGIN; \(tables.reversed().joined()) PRAGMA user_version = \(steps.count - 1); COMMIT")
        connection.close()
        try noteEnd()
    }

    /// Repeats a reading's first entry many times before it, each as a separate change of the log.
    package func multiplyEntries(_ count: Int) throws {
        let connection = try Self.open(database)
        let json = try Self.firstEntry(in: connection)
        try connection.execute(
            """
            BEGIN;
            CREATE TEMP TABLE first AS SELECT entries.*, changes.at AS written, changes.kind, changes.scope, changes.reader,
                '\(json.replacing("'", with: "''"))' AS value, (SELECT max(seq) FROM changes) AS head
                FROM entries JOIN changes ON changes.seq = entries.key ORDER BY entries.key LIMIT 1;
            CREATE TEMP TABLE more AS WITH RECURSIVE n(k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM n WHERE k < \(count))
                SELECT k, CAST(printf('%016d', k) AS BLOB) AS id, head + k AS seq FROM n, first;
            INSERT INTO entries (id, key, reading, progress, page, note, device, happened_at, received_at)
                SELECT more.id, seq, reading, progress, page, note, device, happened_at - k, received_at FROM more, first;
            INSERT INTO changes (seq, command, at, kind, resource, scope, reader, operation, value, before)
                SELECT seq, seq, written, kind, more.id, scope, reader, 1, json_set(value, '$.version', seq, '$.id',
                    lower(substr(hex(more.id), 1, 8) || '-' || substr(hex(more.id), 9, 4) || '-' || substr(hex(more.id), 13, 4) || '-'
                        || substr(hex(more.id), 17, 4) || '-' || substr(hex(more.id), 21)), '$.happenedAt',
                    strftime('%Y-%m-%dT%H:%M:%S', (happened_at - k) / 1000, 'unixepoch') || printf('.%03dZ', (happened_at - k) % 1000)), NULL
                FROM more, first;
            COMMIT;
            """)
        connection.close()
        try noteEnd()
    }

    /// Returns the log's value of the first entry.
    private static func firstEntry(in connection: Raw) throws -> String {
        let rows = try connection.texts(
            """
            SELECT hex(changes.resource) || ' ' || changes.seq || ' ' || hex(changes.value)
            FROM entries JOIN changes ON changes.seq = entries.key ORDER BY entries.key LIMIT 1
            """)
        let parts = rows.first?.split(separator: " ") ?? []
        func bytes(_ hex: Substring) -> [UInt8] {
            let digits = Array(hex.utf8).map { $0.isDigit ? $0 - 48 : $0 - 55 }
            return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
        }
        let id = parts.first.flatMap { part in bytes(part).withUnsafeBytes { ResourceID(bytes: $0) } }
        guard parts.count == 3, let id, let seq = Int64(parts[1]),
            let json = bytes(parts[2]).withUnsafeBytes({ PackedObject.unpack($0, id: id, seq: seq) })
        else { throw Refused(text: "no entry") }
        return String(decoding: json, as: UTF8.self)
    }

    /// Changes rows to the form that an older program gave them.
    package func execute(_ sql: String) throws {
        let connection = try Self.open(database)
        try connection.execute("BEGIN; \(sql); COMMIT")
        connection.close()
        try noteEnd()
    }

    /// Returns the numbers of a query.
    package func numbers(_ sql: String) throws -> [Int] { try texts(sql).compactMap { Int($0) } }

    package func texts(_ sql: String) throws -> [String] { try Self.open(database).texts(sql) }

    /// Records the file's length and modification time, as its server would have left it.
    private func noteEnd() throws {
        var state = stat()
        guard stat(database, &state) == 0, access(database + "-wal", F_OK) != 0 else {
            throw Refused(text: "not closed")
        }
        let modified = Int64(state.st_mtim.tv_sec) * 1_000_000_000 + Int64(state.st_mtim.tv_nsec)
        let recorded = try String(contentsOfFile: end, encoding: .utf8).split(separator: " ")
        let text = (["\(state.st_size)", "\(modified)"] + recorded.dropFirst(2)).joined(separator: " ")
        let descriptor = Glibc.open(end, O_WRONLY | O_TRUNC | O_CLOEXEC)
        defer { Glibc.close(descriptor) }
        guard Glibc.write(descriptor, text, text.utf8.count) == text.utf8.count else { throw Refused(text: end) }
    }

    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "migrations")

    private static func files() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: root.path).filter { $0.hasSuffix(".sql") }.sorted()
    }

    /// Returns the texts of all migrations.
    package static func steps() throws -> [String] {
        try files().map { try String(contentsOf: root.appending(path: $0), encoding: .utf8) }
    }

    private static func open(_ path: String) throws -> Raw { try Raw(path) }
}

/// A connection without any of the program's settings.
final class Raw {
    private(set) var handle: OpaquePointer?

    init(_ path: String) throws {
        guard sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nil) == SQLITE_OK else {
            throw OldSchema.Refused(text: path)
        }
    }

    deinit { close() }

    func close() {
        sqlite3_close_v2(handle)
        handle = nil
    }

    func execute(_ sql: String) throws {
        guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else {
            throw OldSchema.Refused(text: String(cString: sqlite3_errmsg(handle)) + ": " + sql.prefix(200))
        }
    }

    func texts(_ sql: String) throws -> [String] {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else {
            throw OldSchema.Refused(text: String(cString: sqlite3_errmsg(handle)) + ": " + sql.prefix(200))
        }
        defer { sqlite3_finalize(statement) }
        var texts: [String] = []
        while sqlite3_step(statement) == SQLITE_ROW {
            texts.append(sqlite3_column_text(statement, 0).map { String(cString: $0) } ?? "")
        }
        return texts
    }
}
