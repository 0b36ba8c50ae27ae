import CSQLite
import Model
import Testing

@testable import Store

@Suite("Read transactions")
struct ReadTransactionTests {
    /// An interrupt handler that replaces the connection's own, and interrupts every step while it is armed.
    private final class Interrupter {
        /// The number of remaining interruptions.
        var left = 0

        /// Installs the handler. The connection must be closed before the interrupter is released.
        func attach(to connection: SQLiteConnection) {
            sqlite3_progress_handler(
                connection.handle, 1,
                { context in
                    let interrupter = Unmanaged<Interrupter>.fromOpaque(context!).takeUnretainedValue()
                    guard interrupter.left > 0 else { return 0 }
                    interrupter.left -= 1
                    return 1
                }, Unmanaged.passUnretained(self).toOpaque())
        }
    }

    @Test("A read that timed out ends its transaction, and the next read sees later writes")
    func deadline() throws {
        let fixture = try StoreFixture()
        let reads = try fixture.reads()
        var isOver = false
        reads.db.interrupt(every: 1) { isOver }
        let error = #expect(throws: RequestError.self) {
            try reads.read { () throws(RequestError) in
                _ = try reads.head()
                isOver = true
                return try reads.head()
            }
        }
        guard case .unavailable(.readTooLong, _, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reads.db.isIdle)
        isOver = false
        let book = try fixture.addBook()
        #expect(try reads.read { () throws(RequestError) in try reads.book(book) } != nil)
        #expect(fixture.store.counters.recoveredReads == 0)
    }

    @Test("A failed COMMIT is followed by ROLLBACK, and the connection is kept")
    func failedCommit() throws {
        let fixture = try StoreFixture()
        let reads = try fixture.reads()
        let interrupter = Interrupter()
        let connection = reads.db
        interrupter.attach(to: connection)
        try reads.read { () throws(RequestError) in
            _ = try reads.head()
            interrupter.left = 1
        }
        #expect(interrupter.left == 0, "the COMMIT was interrupted")
        #expect(reads.db === connection && connection.isIdle)
        #expect(fixture.store.counters.recoveredReads == 1)
        let book = try fixture.addBook()
        #expect(try reads.book(book) != nil)
        #expect(try reads.read { () throws(RequestError) in try reads.book(book) } != nil)
    }

    @Test("A failed ROLLBACK closes the connection and opens another one")
    func failedRollback() throws {
        let fixture = try StoreFixture()
        let reads = try fixture.reads()
        let interrupter = Interrupter()
        let before = reads.db
        interrupter.attach(to: before)
        try reads.read { () throws(RequestError) in
            _ = try reads.head()
            interrupter.left = .max
        }
        #expect(reads.db !== before && reads.db.isIdle)
        #expect(fixture.store.counters.recoveredReads == 1)
        let book = try fixture.addBook()
        #expect(try reads.book(book) != nil)
        #expect(try reads.read { () throws(RequestError) in try reads.book(book) } != nil)
    }

    @Test("A deadline applies to the new connection, too")
    func deadlineOfNext() throws {
        var configuration = StoreFixture.configuration
        configuration.readMillisecondsMax = 20
        let fixture = try StoreFixture(configuration)
        let reads = try fixture.reads()
        let interrupter = Interrupter()
        interrupter.attach(to: reads.db)
        try reads.read { () throws(RequestError) in
            _ = try reads.head()
            interrupter.left = .max
        }
        let error = #expect(throws: RequestError.self) {
            try reads.query { db throws(SQLiteError) in
                try db.number("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n")
            }
        }
        guard case .unavailable(.readTooLong, _, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("Nothing is read while a transaction cannot be ended and the connection cannot be reopened")
    func failedOpening() throws {
        let fixture = try StoreFixture()
        let path = fixture.directory + "/lectern.sqlite"
        var mayOpen = true
        let transactions = try ReadTransactions(nil) { () throws(SQLiteError) in
            guard mayOpen else { throw SQLiteError(code: SQLITE_CANTOPEN, message: "no") }
            return try SQLiteConnection(path: path, flags: SQLITE_OPEN_READONLY)
        }
        let interrupter = Interrupter()
        let before = transactions.connection
        interrupter.attach(to: before)
        try transactions.begin()
        _ = try before.number("SELECT max(seq) FROM changes")
        (interrupter.left, mayOpen) = (.max, false)
        transactions.end()
        #expect(throws: SQLiteError.self) { try transactions.endOpenTransaction() }
        #expect(throws: SQLiteError.self) { try transactions.begin() }
        mayOpen = true
        try transactions.begin()
        #expect(transactions.connection !== before)
        transactions.end()
        #expect(transactions.connection.isIdle)
    }

    @Test("A statement that was not reset does not keep its snapshot for later reads")
    func leftStatement() throws {
        let fixture = try StoreFixture()
        let reads = try fixture.reads()
        _ = try reads.query { db throws(SQLiteError) in try db.statement("SELECT seq FROM changes").step() }
        let book = try fixture.addBook()
        #expect(try reads.book(book) != nil)
        #expect(fixture.store.counters.recoveredReads == 1)
    }

    @Test("A read whose transaction SQLite ended reads nothing of another snapshot")
    func lostSnapshot() throws {
        let fixture = try StoreFixture()
        let reads = try fixture.reads()
        #expect(throws: RequestError.self) {
            try reads.read { () throws(RequestError) in
                try reads.query { db throws(SQLiteError) in try db.run("ROLLBACK") }
                return try reads.head()
            }
        }
        #expect(try reads.read { () throws(RequestError) in try reads.head() } > 0)
        #expect(fixture.store.counters.recoveredReads == 0)
    }
}
