import CSQLite
import Glibc
package import Model
import Synchronization

/// An open database: one writer on its own thread, any number of read connections.
package final class Store: Sendable {
    /// Which log this is.
    package let epoch: Epoch
    /// Why the epoch is another than before; nil when it is not.
    package let epochReason: String?
    /// Whether nobody has been in the database yet.
    package let isNew: Bool
    /// Whether it is new, or as a new one is: with nothing in it but the first administrator, who has no token.
    package let isUntouched: Bool
    /// The check of the file, after an unclean end.
    package let checkup: Checkup
    /// What the writer has done.
    package let counters: StoreCounters
    /// The copies of the database that are there, and how others are asked for.
    package let backups: Backups
    package let exports: Exports

    private let directory: DataDirectory
    private let configuration: StoreConfiguration
    private let lock: DirectoryLock
    private let queue: CommandQueue
    private let hearer = Mutex<Hearer?>(nil)
    private let thread = Mutex<OwnThread?>(nil)

    /// Opens the database of a directory and starts the writer. What is missing is made only where it `creates`.
    ///
    /// `fail` is called when it cannot be known whether a commit is on disk, or will stay there; it must end the process. `say` is
    /// for what the operator should know, and is called on the writer's thread.
    package static func open(
        directory path: String, configuration: StoreConfiguration = StoreConfiguration(), creates: Bool = true,
        fail: @escaping @Sendable (String) -> Never = Store.exit,
        say: @escaping @Sendable (Notice) -> Void = { _ in }
    ) throws(StoreError) -> Store {
        let directory = DataDirectory(path: path)
        if creates { try directory.make() } else { try directory.demandDatabase() }
        let lock = try DirectoryLock(directory)
        guard try directory.hasDatabase() || creates else { throw .nothing(directory: path) }
        Leavings(in: directory).clear()
        let wasClosed = directory.wasClosed
        let isAsLeft = EndRecord.isAsLeft(directory)
        let ballast = Ballast(directory, bytes: configuration.ballastBytes)
        let connection = try Connection.forWriting(directory, configuration, say: say)
        let hasRoom = try ballast.take()
        return try StoreError.at(directory) { () throws(SQLiteError) in
            let checkup = Checkup(isDue: !wasClosed, directory, StoreCounters(), fail: fail)
            let store = try Store(directory, lock, connection, configuration, checkup, isAsLeft: isAsLeft, say: say)
            let housekeeping = try Housekeeping(
                connection, configuration, store.counters, directory, lock, ballast, hasRoom: hasRoom, checkup,
                fail: fail, isAwaited: { [queue = store.queue] in queue.count > 0 }, say: say)
            try store.start(connection, configuration, housekeeping, fail: fail)
            return store
        }
    }

    private init(
        _ directory: DataDirectory, _ lock: DirectoryLock, _ connection: Connection,
        _ configuration: StoreConfiguration, _ checkup: Checkup, isAsLeft: Bool?,
        say: @escaping @Sendable (Notice) -> Void
    ) throws(SQLiteError) {
        self.directory = directory
        self.configuration = configuration
        self.lock = lock
        self.checkup = checkup
        counters = checkup.counters
        exports = Exports(directory, checkup.counters, configuration)
        queue = CommandQueue(countMax: configuration.queueMax)
        backups = Backups(directory, configuration, wake: { [queue] in queue.wake() }, say: say)
        isNew = try connection.number("SELECT 1 FROM readers LIMIT 1") == nil
        let others = try connection.number(
            "SELECT 1 WHERE EXISTS (SELECT 1 FROM tokens) OR (SELECT max(seq) FROM changes) IS NOT 1")
        isUntouched = isNew || others == nil
        guard let file = ServedFile(path: directory.database) else {
            throw SQLiteError(code: SQLITE_CANTOPEN, message: "the database file is gone")
        }
        (epoch, epochReason) = try file.epoch(in: connection, lock, isAsLeft: isAsLeft)
    }

    private func start(
        _ connection: Connection, _ configuration: StoreConfiguration, _ housekeeping: consuming Housekeeping,
        fail: @escaping @Sendable (String) -> Never
    ) throws(SQLiteError) {
        // SAFETY: the writer, and the connection in it, are given to that thread and touched by no other from here on.
        nonisolated(unsafe) let writer = try Writer(
            connection, queue, configuration, counters, housekeeping, backups.orders,
            hear: { [weak self] commit in self?.hearer.withLock { $0 }?.hear(commit) }, fail: fail)
        guard let running = OwnThread("writer", { writer.run() }) else {
            throw SQLiteError(code: SQLITE_NOMEM, message: "the system has no thread to give to the writer")
        }
        thread.withLock { $0 = running }
        checkup.start()
        backups.start()
    }

    /// Hands a command to the writer. Any thread; false when too many wait, or the store is closed.
    package func submit(_ submission: Submission) -> Bool { queue.add(submission) }

    /// Whom to tell of each commit, after it is on disk and before those are answered who asked for it. Called on the
    /// writer thread; set it before the first command.
    package func onCommit(_ hear: @escaping @Sendable (Commit) -> Void) { hearer.withLock { $0 = Hearer(hear: hear) } }

    /// Boxed, because a function that is read out of a generic container is wrapped anew at each reading.
    private final class Hearer: Sendable {
        let hear: @Sendable (Commit) -> Void
        init(hear: @escaping @Sendable (Commit) -> Void) { self.hear = hear }
    }

    /// A connection that only reads, for one thread.
    package func makeReadConnection() throws(StoreError) -> ReadConnection {
        do {
            return try ReadConnection(
                path: directory.database, millisecondsMax: configuration.readMillisecondsMax,
                clock: configuration.readClock, pageMicrosecondsMax: configuration.pageMicrosecondsMax, counters)
        } catch {
            throw StoreError(error)
        }
    }

    /// Whether writes are refused because the disk is full.
    package var isOutOfSpace: Bool { counters.isFull.load(ordering: .relaxed) }

    /// Whether the store itself holds a snapshot for long, which the write-ahead log waits for: a backup, an export, or the check after
    /// an unclean end. Each of them ends on its own.
    package var holdsSnapshot: Bool {
        backups.isUnderWay || exports.isUnderWay || checkup.state == .running
    }

    /// The day by the clock by which the house forgets, counted from 1970-01-01.
    package var today: Int64 { counters.day.load(ordering: .relaxed) }

    /// Commands that wait for the writer.
    package var waitingCommands: Int { queue.count }

    /// Finishes what waits, checkpoints, and gives the directory free. Read connections must be gone by then.
    package func close() {
        checkup.stop()
        backups.stop()
        exports.stop()
        queue.closeForGood()
        guard let running = thread.withLock({ $0.take() }) else { return }
        running.wait()
        backups.join()
        EndRecord.write(in: directory)
        lock.release()
    }

    deinit { close() }

    /// Makes sure that there is an administrator; waits for it. Before the service starts. Throws when there is none and none
    /// can be made: without room on the disk.
    package func ensureAdministrator() throws(StoreError) {
        guard isNew else { return }
        let done = Latch()
        let failure = Mutex<LecternError?>(nil)
        let submission = Submission(command: .ensureAdministrator, asker: .house(at: .now)) { result in
            if case .failure(let error) = result { failure.withLock { $0 = error } }
            done.open()
        }
        if submit(submission) { done.wait() }
        guard let error = failure.withLock({ $0 }) else { return }
        let reason = error == .outOfSpace ? "there is no room on the disk for a new database" : "\(error)"
        throw .file(path: directory.database, reason: reason)
    }

    /// Says what happened and ends the process with the code for failure.
    package static let exit: @Sendable (String) -> Never = { message in
        // There is nobody else to tell.
        _ = "lectern: \(message)\n".withCString { Glibc.write(STDERR_FILENO, $0, strlen($0)) }
        _exit(1)
    }
}
