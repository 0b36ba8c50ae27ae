import CLinux
import Glibc
public import Model
import Synchronization

/// An open database: one writer on its own thread, any number of read connections.
public final class Store: Sendable {
    /// Which log this is.
    public let epoch: Epoch
    /// Whether the database was made just now.
    public let isNew: Bool
    /// Said when the words of books and notes had to be folded anew, for a program of another fold had stored them.
    public let renewal: String?
    /// What the writer has done.
    public let counters = StoreCounters()

    private let path: String
    private let lock: DirectoryLock
    private let queue: CommandQueue
    private let hearer = Mutex<Hearer?>(nil)
    private let thread = Mutex<pthread_t?>(nil)

    /// Opens the database of a directory, making both where they are missing, and starts the writer.
    ///
    /// `fail` is called when it cannot be known whether a commit is on disk; it must end the process.
    public static func open(
        directory: String, configuration: StoreConfiguration = StoreConfiguration(),
        fail: @escaping @Sendable (String) -> Never = Store.exit
    ) throws(StoreError) -> Store {
        let lock = try DirectoryLock(directory: directory)
        let path = directory + "/lectern.sqlite"
        let isNew = access(path, F_OK) != 0
        let connection = try Connection.forWriting(path, directory)
        do {
            let store = try Store(path, lock, connection, configuration, isNew: isNew)
            try store.start(connection, configuration, directory: directory, fail: fail)
            return store
        } catch {
            throw StoreError(error)
        }
    }

    private init(
        _ path: String, _ lock: DirectoryLock, _ connection: Connection, _ configuration: StoreConfiguration,
        isNew: Bool
    ) throws(SQLiteError) {
        self.path = path
        self.lock = lock
        self.isNew = isNew
        queue = CommandQueue(countMax: configuration.queueMax)
        let began = ContinuousClock.now
        let renewed = try SearchIndex.renew(connection)
        renewal = isNew ? nil : renewed.map { "\($0), in \(ContinuousClock.now - began)." }
        if let number = try connection.number("SELECT value FROM meta WHERE name = 'epoch'") {
            epoch = Epoch(UInt32(truncatingIfNeeded: number))
        } else {
            epoch = .random()
            try connection.statement("INSERT INTO meta (name, value) VALUES ('epoch', ?1)").bind(1, Int64(epoch.number))
                .run()
        }
    }

    private func start(
        _ connection: Connection, _ configuration: StoreConfiguration, directory: String,
        fail: @escaping @Sendable (String) -> Never
    ) throws(SQLiteError) {
        let writer = try Writer(
            connection, queue, configuration, counters, directory: directory,
            hear: { [weak self] commit in self?.hearer.withLock { $0 }?.hear(commit) }, fail: fail)
        var started = pthread_t()
        // SAFETY: the writer, and the connection in it, are given to that thread and touched by no other from here on.
        pthread_create(
            &started, nil,
            { context in
                clinux_name_thread("writer")
                Unmanaged<Writer>.fromOpaque(context!).takeRetainedValue().run()
                return nil
            }, Unmanaged.passRetained(writer).toOpaque())
        thread.withLock { $0 = started }
    }

    /// Hands a command to the writer. Any thread; false when too many wait, or the store is closed.
    public func submit(_ submission: Submission) -> Bool { queue.add(submission) }

    /// Whom to tell of each commit, after it is on disk and before those are answered who asked for it. Called on the
    /// writer thread; set it before the first command.
    public func onCommit(_ hear: @escaping @Sendable (Commit) -> Void) { hearer.withLock { $0 = Hearer(hear: hear) } }

    /// Boxed, because a function that is read out of a generic container is wrapped anew at each reading.
    private final class Hearer: Sendable {
        let hear: @Sendable (Commit) -> Void
        init(hear: @escaping @Sendable (Commit) -> Void) { self.hear = hear }
    }

    /// A connection that only reads, for one thread.
    public func makeReadConnection() throws(StoreError) -> ReadConnection {
        do { return try ReadConnection(path: path) } catch { throw StoreError(error) }
    }

    /// Whether writes are refused because the disk is full.
    public var isOutOfSpace: Bool { counters.isFull.load(ordering: .relaxed) }

    /// Commands that wait for the writer.
    public var waitingCommands: Int { queue.count }

    /// Finishes what waits, checkpoints, and gives the directory free. Read connections must be gone by then.
    public func close() {
        queue.closeForGood()
        guard
            let running = thread.withLock({ thread in
                defer { thread = nil }
                return thread
            })
        else { return }
        pthread_join(running, nil)
        lock.release()
    }

    deinit { close() }

    /// Makes sure that there is an administrator; waits for it. Before the service starts.
    public func ensureAdministrator() {
        let done = Latch()
        let submission = Submission(command: EnsureAdministrator(now: .now), idempotency: nil) { _ in done.open() }
        if submit(submission) { done.wait() }
    }

    /// Says what happened and ends the process with the code for failure.
    public static let exit: @Sendable (String) -> Never = { message in
        _ = "lectern: \(message)\n".withCString { Glibc.write(STDERR_FILENO, $0, strlen($0)) }
        _exit(1)
    }
}
