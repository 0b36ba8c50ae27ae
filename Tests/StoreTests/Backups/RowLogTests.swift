import CSQLite
import Foundation
import Glibc
import Model
import SharedByTests
import Synchronization
import Testing

@testable import Store

@Suite("The log of rows beside the backups", .ownThreads)
struct RowLogTests {
    let place = StoreFixture.newDirectory(on: .disk)
    var folder: BackupDirectory { BackupDirectory(path: place + "/backups") }

    private var configuration: StoreConfiguration {
        var configuration = StoreFixture.durable
        (configuration.backups.hours, configuration.backups.logsRows) = (24, true)
        configuration.backups.directory = folder.path
        return configuration
    }

    /// Opens a store in the same directory as before, and waits for the backup that begins the log.
    func open() throws -> StoreFixture {
        let fixture = try StoreFixture(configuration, in: place + "/data")
        fixture.keepsDirectory.store(true, ordering: .relaxed)
        #expect(
            eventually {
                fixture.store.backups.rowLog.isOpen && fixture.store.backups.all.allSatisfy { $0.state == .done }
            })
        return fixture
    }

    /// Adds a book and waits until the log has it. Returns the time of its record.
    @discardableResult
    func add(_ title: String, to fixture: StoreFixture) throws -> Instant {
        let book = try Command.createBook(.whole("{\"title\": \"\(title)\"}")).by(fixture.administrator)
        let version = try fixture.run(book).version
        var time: Instant?
        let isLogged = try eventually {
            let last = try #require(files().last).id
            var reader = try RowLogReader(last, in: folder)
            while time == nil, let record = try reader.next() { time = record.head >= version ? record.time : nil }
            return time != nil
        }
        #expect(isLogged)
        return try #require(time)
    }

    /// Returns the ids of the files, with the ids of the files before them, in order.
    func files() throws -> [(id: String, previous: String?)] {
        DataDirectory.names(in: folder.path).compactMap(RowLogFile.id).sorted().compactMap { id in
            (try? RowLogReader(id, in: folder)).map { (id, $0.previous) }
        }
    }

    /// Restores the oldest backup and returns the titles of its books.
    func restored(until: Instant? = nil, progress: RestoreProgress = RestoreProgress()) throws -> [String] {
        let target = place + "/restored"
        defer { StoreFixture.remove(target) }
        let base = try #require(folder.backups().first)
        _ = try BackupRestoration(
            folder.path(of: base.file), into: target, keepsTokens: true, until: until, progress: progress
        ).run()
        #expect(try Store.check(directory: target) == [])
        return try BackupTests.rows(target + "/lectern.sqlite", "SELECT title FROM books ORDER BY key")
    }

    @Test("A restore has all rows that were logged, or those until a time")
    func times() throws {
        defer { StoreFixture.remove(place) }
        let fixture = try open()
        let first = try add("one", to: fixture)
        let second = try add("two", to: fixture)
        #expect(try restored() == ["one", "two"])
        #expect(try restored(until: first) == ["one"])
        #expect(try restored(until: Instant(milliseconds: second.milliseconds - 1)) == ["one"])
        #expect(try restored(until: Instant(milliseconds: first.milliseconds - 1)) == [])
        fixture.store.close()
        #expect(try restored() == ["one", "two"])
    }

    @Test("After a clean end the next process continues the log, with all that was written at the end")
    func continued() throws {
        defer { StoreFixture.remove(place) }
        for title in ["one", "two", "three"] {
            let fixture = try open()
            try fixture.run(try Command.createBook(.whole("{\"title\": \"\(title)\"}")).by(fixture.administrator))
            fixture.store.close()
        }
        #expect(folder.backups().count == 1)
        let files = try files()
        #expect(files.map(\.id) == folder.backups().map(\.id))
        #expect(try restored() == ["one", "two", "three"])
    }

    @Test("Rows that cannot be recorded because of an error are in the next record")
    func error() throws {
        defer { StoreFixture.remove(place) }
        try DatabaseTemplate.newest.copy(into: place + "/data")
        let (connection, _) = try DataDirectory(path: place + "/data").opened()
        let recorder = try RowRecorder(connection)
        // Each read of a table fails in turn, as it does while another program has a lock.
        for (number, table) in ["sqlite_sequence", "clock_marks"].enumerated() {
            try connection.execute("INSERT INTO clock_marks (time, seq, wall) VALUES (\(7000 + number), 1, 1)")
            let refused = Array(table.utf8CString)
            refused.withUnsafeBufferPointer { refused in
                _ = sqlite3_set_authorizer(
                    connection.handle,
                    { refused, action, name, _, _, _ in
                        let name = name.map { String(cString: $0) }
                        let refused = refused.map { String(cString: $0.assumingMemoryBound(to: CChar.self)) }
                        return action == SQLITE_READ && name == refused ? SQLITE_DENY : SQLITE_OK
                    }, UnsafeMutableRawPointer(mutating: refused.baseAddress))
                #expect(throws: SQLiteError.self) { try recorder.take(head: 1) }
                _ = sqlite3_set_authorizer(connection.handle, nil, nil)
            }
            let record = try #require(try recorder.take(head: 1))
            #expect(!record.changeset.isEmpty)
            #expect(try recorder.take(head: 1) == nil)
        }
    }

    @Test("After an unclean end, or a write without the log, a backup begins another log", arguments: [true, false])
    func another(_ isKilled: Bool) throws {
        defer { StoreFixture.remove(place) }
        let first = try open()
        try add("one", to: first)
        first.store.close()
        var reader = try RowLogReader(files()[0].id, in: folder)
        var end = Instant(milliseconds: 0)
        while let record = try reader.next() { end = record.time }
        var lines: [String] = []
        let tomorrow = Instant.now.adding(seconds: 86400)
        #expect(try restored(until: tomorrow, progress: RestoreProgress { lines.append($0) }) == ["one"])
        #expect(lines == ["The log of rows ends at \(end), before the given time"])
        if isKilled {
            unlink(place + "/data/lectern.end")
        } else {
            let other = try StoreFixture(StoreFixture.durable, in: place + "/data")
            other.keepsDirectory.store(true, ordering: .relaxed)
            _ = try other.addBook()
            other.store.close()
        }
        let second = try StoreFixture(configuration, in: place + "/data")
        second.keepsDirectory.store(true, ordering: .relaxed)
        #expect(
            eventually {
                second.store.backups.rowLog.isOpen && second.store.backups.all.allSatisfy { $0.state == .done }
            })
        #expect(folder.backups().count == 2)
        let two = try add("two", to: second)
        second.store.close()
        let files = try files()
        #expect(files.map(\.id) == folder.backups().map(\.id) && files.map(\.previous) == [nil, nil])
        // The restore says that another log has the rest.
        lines = []
        #expect(try restored(progress: RestoreProgress { lines.append($0) }) == ["one"])
        let text = "The log of rows ends at \(end), and \(RowLogFile.name(of: files[1].id)) begins another one"
        #expect(lines == [text + ". Restore the backup of that one for what follows"])
        let error = #expect(throws: StoreError.self) { try restored(until: two) }
        #expect(error?.description == text + ": restore the backup of that one. Nothing was restored")
        lines = []
        #expect(try restored(until: end, progress: RestoreProgress { lines.append($0) }) == ["one"] && lines == [])
        // At most two such backups an hour.
        unlink(place + "/data/lectern.end")
        let said = Mutex<[OperatorNotice]>([])
        let third = try Store.open(
            directory: place + "/data", configuration: configuration,
            report: { notice in said.withLock { $0.append(notice) } })
        #expect(!third.backups.rowLog.isOpen && third.backups.all.count == 2)
        #expect(said.withLock { $0.contains { "\($0)".contains("no log of rows continues from the last process") } })
        third.close()
    }

    @Test("A command that changes nothing while the server is stopped does not end the log")
    func reading() throws {
        defer { StoreFixture.remove(place) }
        let first = try open()
        try add("one", to: first)
        first.store.close()
        try Store.open(directory: place + "/data", creates: false).close()
        let second = try StoreFixture(configuration, in: place + "/data")
        second.keepsDirectory.store(true, ordering: .relaxed)
        #expect(second.store.backups.rowLog.isOpen)
        try add("two", to: second)
        second.store.close()
        #expect(try restored() == ["one", "two"])
    }

    @Test("An error ends the log and is reported; the next backup begins another log")
    func ended() throws {
        defer { StoreFixture.remove(place) }
        let said = Mutex<[OperatorNotice]>([])
        try FileManager.default.createDirectory(atPath: place + "/data", withIntermediateDirectories: true)
        let store = try Store.open(
            directory: place + "/data", configuration: configuration,
            report: { notice in said.withLock { $0.append(notice) } })
        defer { store.close() }
        try store.ensureAdministrator()
        #expect(eventually { store.backups.all.allSatisfy { $0.state == .done } && store.backups.rowLog.isOpen })
        let first = try #require(folder.backups().first)
        unlink(folder.path(of: RowLogFile.name(of: first.id)))
        let viewer = try #require(try store.makeReadConnection().localAdministrator())
        let command = try Command.createBook(.whole("{\"title\": \"one\"}")).by(viewer)
        try store.run(command.command, as: command.actor)
        #expect(eventually { said.withLock { $0.contains { "\($0)".contains("the log of rows ended") } } })
        #expect(eventually { store.backups.all.count == 2 && store.backups.all.allSatisfy { $0.state == .done } })
        #expect(store.backups.rowLog.isOpen && store.backups.rowsUntil != nil)
        let files = try files()
        #expect(files.map(\.id) == [store.backups.all.first?.id] && files.map(\.previous) == [nil])
    }

    @Test("The files of a log go with the last backup that needs them")
    func pruned() throws {
        defer { StoreFixture.remove(place) }
        let fixture = try open()
        for _ in 0..<8 {
            let asked = fixture.store.backups.ask().id
            #expect(eventually { fixture.store.backups.all.first { $0.id == asked }?.state == .done })
        }
        fixture.store.close()
        #expect(folder.backups().count == 7)
        #expect(try files().map(\.id) == folder.backups().map(\.id))
    }
}
