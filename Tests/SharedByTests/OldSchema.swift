import CSQLite
import Foundation
import Glibc

/// Makes of a database of this program's one that an older program left: the same file with the rows that its tables had, and the log.
/// Rows and what was told of them are what they were then, for what is sent of what there is does not become another.
package struct OldSchema {
    package let database: String
    private var end: String { (database as NSString).deletingLastPathComponent + "/lectern.end" }

    package struct Refused: Error { let text: String }

    /// What is sent of kinds (by their numbers in the log) since a step; before that their rows had no column for it.
    private static let members: [(since: Int, kind: Int, names: [String])] = [
        (23, 9, ["about", "at", "opens", "opensAt"]),
        (runs, 12, ["startsAt", "endsAt", "edition", "proposedBy"]),
        (runs, 9, ["run"]), (runs, 13, ["run"]), (runs, 14, ["run"]), (runs, 15, ["run"]),
        (number(ofStep: "0034_authors_names.sql"), 9, ["authorName"]),
        (number(ofStep: "0035_entry_notes.sql"), 9, ["kind", "quote", "language"]),
        (number(ofStep: "0035_entry_notes.sql"), 5, ["noteId"]),
        (number(ofStep: "0037_audiences.sql"), 9, ["audience"]),
        (number(ofStep: "0038_sharing.sql"), 8, ["sharesWithModerators"]),
        (number(ofStep: "0039_wards.sql"), 1, ["guardian", "isManaged"]),
        (number(ofStep: "0038_sharing.sql"), 14, ["audience"]),
        (number(ofStep: "0038_sharing.sql"), 7, ["defaultShares", "defaultSharesWithModerators"]),
        (number(ofStep: "0038_sharing.sql"), 18, ["defaultShares", "defaultSharesWithModerators"]),
    ]

    /// The step that makes runs of clubs' books.
    package static let runs = number(ofStep: "0033_runs.sql")

    private static let measures = number(ofStep: "0040_measures.sql")
    /// What columns held before amounts of editions were kept: a share of the story by chapters, where these were known.
    private static let before: [String: [String: String]] = {
        func frame(_ book: String) -> String {
            "CASE WHEN chapters_at IS NULL THEN frame ELSE (1 << 60 | \(book)) END"
        }
        return [
            "reach": ["progress": "CASE WHEN place >> 60 IN (1, 2) THEN progress / 1000 ELSE progress END"],
            "entries": ["frame": frame("(SELECT book FROM new.readings WHERE key = reading)")],
            "knowledge": ["frame": frame("book")],
            "notes": [
                "frame": frame("book"),
                "frame_at": """
                CASE WHEN chapters_at IS NOT NULL THEN chapters_at / 1000 WHEN frame = book THEN frame_at ELSE frame_at / 1000 END
                """,
            ],
        ]
    }()

    /// `lectern.sqlite` of a directory that no server has open.
    package init(_ database: String) { self.database = database }

    /// Its tables as they were after so many steps. What the words of searches are made of is kept since the thirteenth.
    package func turn(to version: Int) throws {
        let old = database + ".old"
        unlink(old)
        defer { unlink(old) }
        let connection = try Self.open(old)
        for step in try Self.steps().prefix(version) { try connection.execute(step) }
        try connection.execute("PRAGMA user_version = \(version); ATTACH '\(database)' AS new")
        for table in try tables(connection) where version >= 13 || !table.hasSuffix("_words") {
            let names = try connection.texts(
                """
                SELECT old.name FROM pragma_table_info('\(table)', 'main') AS old
                JOIN pragma_table_info('\(table)', 'new') AS new ON new.name = old.name
                """
            )
            let columns = names.map { "\"\($0)\"" }.joined(separator: ", ")
            let values = names.map { name in
                version < Self.measures ? Self.before[table]?[name] ?? "\"\(name)\"" : "\"\(name)\""
            }.joined(separator: ", ")
            let rowid = table.hasSuffix("_words") ? "rowid, " : ""
            try connection.execute(
                "DELETE FROM main.\(table); INSERT INTO main.\(table) (\(rowid)\(columns)) SELECT \(rowid)\(values) FROM new.\(table)"
            )
        }
        try connection.execute(
            """
            DELETE FROM meta WHERE name = 'program';
            UPDATE main.sqlite_sequence SET seq = (SELECT seq FROM new.sqlite_sequence AS new WHERE new.name = sqlite_sequence.name);
            DETACH new
            """)
        for (since, kind, names) in Self.members where version < since {
            let paths = names.map { "'$.\($0)'" }.joined(separator: ", ")
            try connection.execute(
                """
                UPDATE changes SET value = json_remove(value, \(paths)), before = json_remove(before, \(paths))
                WHERE kind = \(kind) AND operation <> 4
                """)
        }
        try write(connection)
    }

    /// A reading's first entry again so often, before it, as its own change of the log each.
    package func multiplyEntries(_ count: Int) throws {
        let connection = try Self.open(database)
        try connection.execute(
            """
            BEGIN;
            CREATE TEMP TABLE first AS SELECT entries.*, changes.at AS written, changes.kind, changes.scope, changes.reader, changes.value,
                (SELECT max(seq) FROM changes) AS head
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

    /// Makes rows of it others, as a program of then had them.
    package func execute(_ sql: String) throws {
        let connection = try Self.open(database)
        try connection.execute("BEGIN; \(sql); COMMIT")
        connection.close()
        try noteEnd()
    }

    /// The numbers of a query.
    package func numbers(_ sql: String) throws -> [Int] { try texts(sql).compactMap { Int($0) } }

    package func texts(_ sql: String) throws -> [String] { try Self.open(database).texts(sql) }

    /// Writes it over the file, which stays the one that it was.
    private func write(_ connection: Raw) throws {
        let target = try Self.open(database)
        guard let backup = sqlite3_backup_init(target.handle, "main", connection.handle, "main") else {
            throw Refused(text: "no backup")
        }
        let code = sqlite3_backup_step(backup, -1)
        guard sqlite3_backup_finish(backup) == SQLITE_OK, code == SQLITE_DONE else { throw Refused(text: "\(code)") }
        try target.execute("PRAGMA journal_mode = WAL; PRAGMA wal_checkpoint(TRUNCATE)")
        target.close()
        try noteEnd()
    }

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

    private func tables(_ connection: Raw) throws -> [String] {
        try connection.texts(
            """
            SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name NOT LIKE '%\\_words\\_%' ESCAPE '\\'
            ORDER BY rowid
            """)
    }

    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "migrations")

    private static func files() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: root.path).filter { $0.hasSuffix(".sql") }.sorted()
    }

    /// The texts of all migrations.
    package static func steps() throws -> [String] {
        try files().map { try String(contentsOf: root.appending(path: $0), encoding: .utf8) }
    }

    /// Which one a file is, counted from 1.
    private static func number(ofStep file: String) -> Int {
        guard let index = try? files().firstIndex(of: file) else { preconditionFailure("there is no \(file)") }
        return index + 1
    }

    private static func open(_ path: String) throws -> Raw { try Raw(path) }
}

/// A connection without any of the house's ways.
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
