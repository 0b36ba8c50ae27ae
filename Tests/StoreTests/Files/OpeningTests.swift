import CSQLite
import Glibc
import Model
import SharedByTests
import Testing

@testable import Store

@Suite("Opening")
struct OpeningTests {
    /// Changes a database that no store has open.
    private func tamper(_ directory: String, _ sql: String) throws {
        let connection = try SQLiteConnection(path: directory + "/lectern.sqlite", flags: SQLITE_OPEN_READWRITE)
        sqlite3_db_config_off(connection.handle)
        try connection.execute(sql)
    }

    /// Disables SQLite's defensive mode, which protects the file's internals.
    private func sqlite3_db_config_off(_ handle: OpaquePointer) {
        _ = lectern_sqlite3_config_flag(handle, SQLITE_DBCONFIG_DEFENSIVE, 0)
    }

    @Test("Written data exists after a restart, under the same epoch, and the files are readable only by the owner")
    func restart() throws {
        var fixture = try StoreFixture(StoreFixture.durable)
        #expect(fixture.store.isNew)
        let epoch = fixture.store.epoch
        let id = try fixture.addBook()
        let representation = try fixture.reads().book(id)?.encoded()
        try StoreFixture.reopen(&fixture, StoreFixture.durable)
        #expect(!fixture.store.isNew)
        #expect(fixture.store.epoch == epoch)
        #expect(try fixture.reads().book(id)?.encoded() == representation)
        for name in ["lectern.sqlite", "lectern.lock", "ballast"] {
            var state = stat()
            #expect(stat(fixture.directory + "/" + name, &state) == 0)
            #expect(state.st_mode & 0o077 == 0, "\(name)")
        }
    }

    @Test("The writer's durability settings are on")
    func pragmas() throws {
        let fixture = try StoreFixture(StoreFixture.durable)
        fixture.store.close()
        let path = fixture.directory + "/lectern.sqlite"
        let writer = try SQLiteConnection.forWriting(DataDirectory(path: fixture.directory))
        let expected: [(String, Int64)] = [
            ("synchronous", 2), ("foreign_keys", 1), ("cell_size_check", 1), ("wal_autocheckpoint", 0),
            ("temp_store", 2),
            ("trusted_schema", 0),
        ]
        for (pragma, value) in expected {
            let found = try writer.statement(once: "PRAGMA \(pragma)").first { $0.integer(0) }
            #expect(found == value, "\(pragma)")
        }
        #expect(try writer.statement(once: "PRAGMA journal_mode").first { $0.text(0) } == "wal")
        #expect(throws: SQLiteError.self) { try writer.execute("SELECT \"no such column\"") }
        #expect(throws: SQLiteError.self) {
            try writer.execute("PRAGMA writable_schema = 1; DELETE FROM sqlite_schema")
        }
        let reader = try ReadConnection(path: path)
        #expect(throws: SQLiteError.self) { try reader.db.execute("DELETE FROM books") }
    }

    @Test("A database of a newer program is refused with both versions")
    func newer() throws {
        let fixture = try StoreFixture(StoreFixture.durable)
        fixture.store.close()
        try tamper(fixture.directory, "PRAGMA user_version = 77")
        let error = #expect(throws: StoreError.self) { try Store.open(directory: fixture.directory) }
        #expect(error == .tooNew(found: 77, known: Int64(DatabaseSchema.newest)))
        #expect(error?.description.contains("77") == true)
        // The database is unchanged.
        try tamper(fixture.directory, "PRAGMA user_version = \(DatabaseSchema.newest)")
        _ = try Store.open(directory: fixture.directory, configuration: StoreFixture.durable)
    }

    @Test("A database whose page size was changed is refused, and its refusal says how to change it back")
    func pageSize() throws {
        let fixture = try StoreFixture(StoreFixture.durable)
        fixture.store.close()
        try tamper(fixture.directory, "PRAGMA journal_mode = DELETE; PRAGMA page_size = 8192; VACUUM")
        try tamper(fixture.directory, "PRAGMA journal_mode = WAL")
        let error = #expect(throws: StoreError.self) { try Store.open(directory: fixture.directory) }
        let text = error?.description ?? ""
        #expect(text.contains("its page size is 8192"), "\(text)")
        let remedy = try #require(text.firstRange(of: "PRAGMA journal_mode = DELETE"))
        try tamper(fixture.directory, String(text[remedy.lowerBound...]))
        _ = try Store.open(directory: fixture.directory, configuration: StoreFixture.durable)
    }

    @Test("A directory that users other than its owner may write is refused", arguments: [0o775, 0o707])
    func shared(_ mode: mode_t) throws {
        let directory = StoreFixture.newDirectory(on: .disk)
        defer { StoreFixture.remove(directory) }
        chmod(directory, mode)
        let error = #expect(throws: StoreError.self) {
            try Store.open(directory: directory, configuration: StoreFixture.durable)
        }
        #expect(error?.description.contains("chmod go-w \(directory)") == true)
        #expect(access(directory + "/lectern.sqlite", F_OK) != 0)
        chmod(directory, 0o755)
        try Store.open(directory: directory, configuration: StoreFixture.durable).close()
    }

    @Test("A second store in the same directory is refused, and the error names the first")
    func locked() throws {
        let fixture = try StoreFixture(StoreFixture.durable)
        let error = #expect(throws: StoreError.self) { try Store.open(directory: fixture.directory) }
        #expect(error == .inUse(directory: fixture.directory, pid: getpid()))
        #expect(error?.description.contains("\(getpid())") == true)
        #expect(throws: StoreError.inUse(directory: fixture.directory, pid: getpid())) {
            try Store.check(directory: fixture.directory)
        }
        fixture.store.close()
        let next = try Store.open(directory: fixture.directory, configuration: StoreFixture.durable)
        next.close()
    }

    @Test("Another process that uses the directory is noticed")
    func otherProcess() throws {
        let fixture = try StoreFixture(StoreFixture.durable)
        fixture.store.close()
        // A child process that takes the lock, reports it, and holds it until its input ends.
        var down: [Int32] = [0, 0]
        var up: [Int32] = [0, 0]
        pipe(&down)
        pipe(&up)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_adddup2(&actions, down[0], 0)
        posix_spawn_file_actions_adddup2(&actions, up[1], 1)
        posix_spawn_file_actions_addclose(&actions, down[1])
        let script = "exec 9<\"$1\" && flock -x 9 && echo locked && cat >/dev/null"
        let arguments: [String] = ["sh", "-c", script, "sh", "\(fixture.directory)/lectern.lock"]
        let words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
        var child: pid_t = 0
        let code = posix_spawn(&child, "/bin/sh", &actions, nil, words + [nil], environ)
        words.forEach { free($0) }
        posix_spawn_file_actions_destroy(&actions)
        close(down[0])
        close(up[1])
        defer {
            close(down[1])
            close(up[0])
            var status: Int32 = 0
            if code == 0 { waitpid(child, &status, 0) }
        }
        var answer = [UInt8](repeating: 0, count: 6)
        try #require(code == 0 && read(up[0], &answer, 6) == 6)
        #expect(throws: StoreError.self) { try Store.open(directory: fixture.directory) }
    }

    @Test("A damaged file is refused, with advice", arguments: ["header", "text", "cut"])
    func damaged(_ how: String) throws {
        let fixture = try StoreFixture(StoreFixture.durable)
        for index in 0..<300 { _ = try fixture.addBook("{\"title\": \"T\(index)\"}") }
        fixture.store.close()
        let path = fixture.directory + "/lectern.sqlite"
        let file = open(path, O_RDWR)
        let size = lseek(file, 0, SEEK_END)
        let noise = [UInt8](repeating: 0xA5, count: 4096)
        switch how {
        case "header": pwrite(file, noise, 100, 0)
        case "text":
            ftruncate(file, 0)
            pwrite(file, Array("this is no database, but it is long enough to be one".utf8), 50, 0)
            ftruncate(file, 8192)
        default: ftruncate(file, size / 2)
        }
        close(file)
        let error = #expect(throws: StoreError.self) { try Store.open(directory: fixture.directory) }
        guard case .damaged(let directory, let findings)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(directory == fixture.directory && !findings.isEmpty)
        #expect(error?.description.contains("restore a backup") == true)
        #expect(try !Store.check(directory: fixture.directory).isEmpty)
    }

    static let faults: [(sql: String, finding: String)] = [
        ("DELETE FROM changes WHERE seq = 4", "in the log is for"),
        ("UPDATE books SET version = 3 WHERE version = 4", "has version 3"),
        ("DELETE FROM books_words WHERE rowid = (SELECT min(rowid) FROM books_words)", "has no search words"),
        ("DELETE FROM books WHERE key = (SELECT max(key) FROM books)", "is only in the log"),
        ("UPDATE tokens SET reader = 77", "foreign key of tokens"),
    ]

    @Test("A check finds inconsistent rows", arguments: faults)
    func check(_ row: (sql: String, finding: String)) throws {
        let fixture = try StoreFixture(StoreFixture.durable)
        _ = try fixture.addReader("Ada")
        for _ in 0..<5 { _ = try fixture.addBook() }
        #expect(try Store.checkOpen(fixture).isEmpty)
        try tamper(fixture.directory, row.sql)
        let findings = try Store.check(directory: fixture.directory)
        #expect(findings.contains { $0.contains(row.finding) }, "\(findings)")
    }

    @Test("An impossible directory is refused by name")
    func impossible() throws {
        #expect(throws: StoreError.self) { try Store.open(directory: "/proc/nowhere/lectern") }
        #expect(throws: StoreError.self) { try Store.check(directory: "/proc/nowhere/lectern") }
    }

    @Test("An error of SQLite names the rule and never the values")
    func privacy() throws {
        let fixture = try StoreFixture(StoreFixture.durable)
        fixture.store.close()
        let writer = try SQLiteConnection.forWriting(DataDirectory(path: fixture.directory))
        let insert = try writer.statement(
            "INSERT INTO readers (id, version, name, role, created_at, updated_at) VALUES (?1, 1, ?2, ?2, 1, 1)")
        let error = #expect(throws: SQLiteError.self) {
            try insert.bind(ResourceID(high: 1, low: 1), "a secret").run()
        }
        #expect(error?.message.contains("CHECK") == true && error?.message.contains("secret") == false)
        #expect(error?.code == SQLITE_CONSTRAINT | 1 << 8)
    }
}
