import CSQLite
import Glibc
package import Model
import Scheduling
import Synchronization

/// An open database: one writer on its own thread, and any number of read connections.
package final class Store: Sendable {
    /// The identity of the log.
    package let epoch: LogEpoch
    /// The reason for a new epoch, or `nil` if the epoch is the same as before.
    package let epochReason: String?
    /// A Boolean value indicating whether the database has no readers yet.
    package let isNew: Bool
    /// A Boolean value indicating whether the database is empty except for the first administrator, who has no token.
    package let isUntouched: Bool
    /// The check of the file after an unclean end.
    package let crashCheck: PostCrashCheck
    /// The counters of the writer.
    package let counters: StoreCounters
    /// The backups of the database.
    package let backups: Backups
    package let exports: ExportsInProgress

    private let directory: DataDirectory
    private let configuration: StoreConfiguration
    private let lock: DirectoryLock
    private let queue: CommandQueue
    private let thread = Mutex<DedicatedThread?>(nil)

    /// Opens the database of a directory and starts the writer. Missing files are created only if `creates` is true.
    ///
    /// `fail` is called when the durability of a commit is unknown, and must end the process. `say` gets messages for
    /// the operator, and `receive` gets each commit after it is on disk and before its commands are completed. Both are
    /// called on the writer thread.
    package static func open(
        directory path: String, configuration: StoreConfiguration = StoreConfiguration(), creates: Bool = true,
        fail: @escaping @Sendable (String) -> Never = Store.exit,
        report: @escaping @Sendable (OperatorNotice) -> Void = { _ in },
        receive: @escaping @Sendable (Commit) -> Void = { _ in }
    ) throws(StoreError) -> Store {
        let directory = DataDirectory(path: path)
        if creates { try directory.make() } else { try directory.demandDatabase() }
        // A backup locks the directory for moments.
        let lock = try DirectoryLock(directory, attempts: 10)
        guard try directory.hasDatabase() || creates else { throw .nothing(directory: path) }
        directory.clearTemporaryFiles()
        let wasClosed = directory.wasClosed
        let isAsLeft = CleanShutdownRecord.isAsLeft(directory)
        let lastEnd = isAsLeft == true ? CleanShutdownRecord.text(in: directory) : nil
        let ballast = DiskSpaceReserve(directory, bytes: configuration.ballastBytes)
        let connection = try SQLiteConnection.forWriting(directory, configuration, report: report)
        let hasRoom = try ballast.take()
        return try StoreError.at(directory) { () throws(SQLiteError) in
            let crashCheck = PostCrashCheck(isDue: !wasClosed, directory, StoreCounters(), fail: fail)
            let store = try Store(
                directory, lock, connection, configuration, crashCheck, isAsLeft: isAsLeft, lastEnd: lastEnd,
                report: report)
            // Before the first write.
            let recorder = store.backups.rowLog.isOpen ? try RowRecorder(connection) : nil
            // After the epoch is stored: searches in this version have other results, so clients must load their lists again.
            try SearchIndex.rebuild(connection, report: report)
            let maintenance = try WriterMaintenance(
                connection, configuration, store.counters, directory, lock, ballast, hasRoom: hasRoom, crashCheck,
                fail: fail)
            try store.start(connection, configuration, maintenance, recorder, fail: fail, receive: receive)
            return store
        }
    }

    private init(
        _ directory: DataDirectory, _ lock: DirectoryLock, _ connection: SQLiteConnection,
        _ configuration: StoreConfiguration, _ crashCheck: PostCrashCheck, isAsLeft: Bool?, lastEnd: String?,
        report: @escaping @Sendable (OperatorNotice) -> Void
    ) throws(SQLiteError) {
        self.directory = directory
        self.configuration = configuration
        self.lock = lock
        self.crashCheck = crashCheck
        counters = crashCheck.counters
        exports = ExportsInProgress(directory, crashCheck.counters, configuration)
        queue = CommandQueue(countMax: configuration.queueMax)
        backups = Backups(directory, configuration, lastEnd: lastEnd, report: report)
        isNew = try connection.number("SELECT 1 FROM readers LIMIT 1") == nil
        let others = try connection.number(
            "SELECT 1 WHERE EXISTS (SELECT 1 FROM tokens) OR (SELECT max(seq) FROM changes) IS NOT 1")
        isUntouched = isNew || others == nil
        guard let file = DatabaseIdentity(path: directory.database) else {
            throw SQLiteError(code: SQLITE_CANTOPEN, message: "the database file is missing")
        }
        (epoch, epochReason) = try file.epoch(in: connection, lock, isAsLeft: isAsLeft)
    }

    private func start(
        _ connection: SQLiteConnection, _ configuration: StoreConfiguration, _ maintenance: consuming WriterMaintenance,
        _ recorder: RowRecorder?, fail: @escaping @Sendable (String) -> Never,
        receive: @escaping @Sendable (Commit) -> Void
    ) throws(SQLiteError) {
        // SAFETY: only the new thread uses the writer and its connection from here on.
        nonisolated(unsafe) let writer = try Writer(
            connection, queue, configuration, counters, maintenance, backups.rowLog, recorder, receive: receive,
            fail: fail)
        guard backups.start(), let running = DedicatedThread("writer", { writer.run() }) else {
            throw SQLiteError(code: SQLITE_NOMEM, message: "the system cannot start the threads of the database")
        }
        thread.withLock { $0 = running }
        crashCheck.start()
    }

    /// Passes a command to the writer. Can be called on any thread. Returns `false` if too many commands wait or the
    /// store is closed.
    package func submit(_ submission: SubmittedCommand) -> Bool { queue.add(submission) }

    /// Opens a read connection for one thread.
    package func makeReadConnection() throws(StoreError) -> ReadConnection {
        try StoreError.at(directory) { () throws(SQLiteError) in
            try ReadConnection(
                path: directory.database, millisecondsMax: configuration.readMillisecondsMax,
                clock: configuration.readClock, pageMicrosecondsMax: configuration.pageMicrosecondsMax, counters)
        }
    }

    /// A Boolean value indicating whether writes are refused because the disk is full.
    package var isOutOfSpace: Bool { counters[.outOfSpace] != 0 }

    /// A Boolean value indicating whether the store itself holds a long snapshot, which keeps frames of the write-ahead
    /// log from being copied: a backup, an export, or the check after an unclean end. Each of them ends without help.
    package var holdsSnapshot: Bool {
        backups.isUnderWay || exports.isUnderWay || crashCheck.state == .running
    }

    /// The current day by the retention clock, in days since 1970-01-01.
    package var today: Int64 { Int64(counters[.day]) }

    /// The number of commands that wait for the writer.
    package var waitingCommands: Int { queue.count }

    /// Finishes the waiting commands, runs the last checkpoint and unlocks the directory. Read connections must be
    /// closed before.
    package func close() {
        crashCheck.stop()
        backups.stop()
        exports.stop()
        queue.closeForGood()
        guard let running = thread.withLock({ $0.take() }) else { return }
        running.wait()
        CleanShutdownRecord.write(in: directory)
        backups.closeRowLog(at: CleanShutdownRecord.text(in: directory))
        lock.release()
    }

    deinit { close() }

    /// Creates the first administrator if there is none, and waits for the commit. Call it before the service starts.
    /// Throws if it fails for lack of disk space.
    package func ensureAdministrator() throws(StoreError) {
        guard isNew else { return }
        do throws(RequestError) { try run(.ensureAdministrator) } catch {
            let reason = error == .outOfSpace ? "the disk has no space for a new database" : "\(error)"
            throw .file(path: directory.database, reason: reason)
        }
    }

    /// Runs a command and waits until it is on disk.
    package func run(_ command: Command, as actor: CommandActor = .server(at: .now)) throws(RequestError) {
        let done = Semaphore()
        let failure = Mutex<RequestError?>(nil)
        let submission = SubmittedCommand(command: command, actor: actor) { result in
            if case .failure(let error) = result { failure.withLock { $0 = error } }
            done.signal()
        }
        guard submit(submission) else { throw .internalError("the writer takes no commands") }
        done.wait()
        if let error = failure.withLock({ $0 }) { throw error }
    }

    /// Writes a message to standard error and ends the process with exit code 1.
    package static let exit: @Sendable (String) -> Never = { message in
        // There is no other place to report a failed write.
        _ = "lectern: \(message)\n".withCString { Glibc.write(STDERR_FILENO, $0, strlen($0)) }
        _exit(1)
    }
}
