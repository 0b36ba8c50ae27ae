import CSQLite
import Scheduling
import Synchronization

/// The check of the whole file after an unclean end, on a low-priority thread while requests are served.
package final class PostCrashCheck: Sendable {
    private let number: Atomic<Int>
    private let isStopped = Atomic(false)
    private let wakeEvent = Semaphore()
    private let thread = Mutex<DedicatedThread?>(nil)
    private let directory: DataDirectory
    let counters: StoreCounters
    private let fail: @Sendable (String) -> Never

    /// The number of waiting frames in the write-ahead log at which the check stops and starts again. Its snapshot
    /// keeps them from being copied.
    private static let framesMax = 65_536
    private static let retryMilliseconds = 60_000

    /// Creates a check, which may be due. `fail` is called on its thread with the findings, and must end the process.
    init(
        isDue: Bool, _ directory: DataDirectory, _ counters: StoreCounters, fail: @escaping @Sendable (String) -> Never
    ) {
        number = Atomic((isDue ? PostCrashCheckState.running : .ok).rawValue)
        self.directory = directory
        self.counters = counters
        self.fail = fail
    }

    /// The current state. Can be read on any thread.
    package var state: PostCrashCheckState { PostCrashCheckState(rawValue: number.load(ordering: .relaxed)) ?? .ok }

    /// Starts the check if it is due.
    func start() {
        guard state == .running else { return }
        let running = DedicatedThread("check", isBehindOthers: true) { self.run() }
        if running == nil { number.store(PostCrashCheckState.failed.rawValue, ordering: .relaxed) }
        thread.withLock { $0 = running }
    }

    /// Stops the check and waits until its connection is closed.
    func stop() {
        isStopped.store(true, ordering: .relaxed)
        wakeEvent.signal()
        thread.withLock { $0.take() }?.wait()
    }

    private var isWanted: Bool { !isStopped.load(ordering: .relaxed) }

    private func run() {
        while isWanted {
            do throws(SQLiteError) {
                let findings = try findings()
                if !findings.isEmpty {
                    fail(StoreError.damaged(directory: directory.path, findings: findings).description)
                }
                return number.store(PostCrashCheckState.ok.rawValue, ordering: .relaxed)
            } catch {
                let isInterrupted = error.code == SQLITE_INTERRUPT
                if !isInterrupted { number.store(PostCrashCheckState.failed.rawValue, ordering: .relaxed) }
                wakeEvent.wait(milliseconds: isInterrupted ? 1000 : Self.retryMilliseconds)
            }
        }
    }

    private func findings() throws(SQLiteError) -> [String] {
        let connection = try ReadConnection(path: directory.database).db
        connection.interrupt(unless: { self.isWanted && self.counters[.walFrames] <= Self.framesMax })
        return try IntegrityCheck.quickFindings(connection)
    }
}

/// The state of the check. The raw values are stored in an atomic.
package enum PostCrashCheckState: Int, Sendable {
    /// Nothing was found, or no check was needed.
    case ok = 0
    /// The check is in progress.
    case running = 1
    /// The disk could not be read. The check is tried again.
    case failed = 2
}
