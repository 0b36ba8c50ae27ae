package import Model
import Synchronization

/// The backups of an open database: those that are there, and a thread behind all others that makes more, one at a time.
package final class Backups: Sendable {
    struct State {
        var backups: [Backup] = []
        var lastID = ""
        var isStopped = false
        /// When what was made to be fetched was looked at last, in monotonic seconds.
        var lookedAt: [String: Int] = [:]
        /// When the next one is due without being asked for; nil: none is.
        var dueAt: Int?
    }

    let state: Mutex<State>
    private let bell = Bell()
    private let thread = Mutex<OwnThread?>(nil)
    let orders = CopyOrders()
    let directory: DataDirectory
    let folder: BackupFolder
    let mark: BackupMark
    let settings: BackupSettings
    /// Bytes of the database's disk that are left to it.
    let spare: Int64
    private let wake: @Sendable () -> Void
    let say: @Sendable (Notice) -> Void
    private let lastGoodMilliseconds: Atomic<Int64>
    private let goodCount = Atomic(0)
    private let failedCount = Atomic(0)

    /// `wake` lets the writer look at its orders.
    init(
        _ directory: DataDirectory, _ configuration: StoreConfiguration, wake: @escaping @Sendable () -> Void,
        say: @escaping @Sendable (Notice) -> Void
    ) {
        (self.directory, self.wake, self.say) = (directory, wake, say)
        settings = configuration.backups
        spare = configuration.diskBytesSpared
        folder = BackupFolder(path: settings.directory ?? directory.backups)
        mark = BackupMark(path: directory.lastBackup)
        folder.clear()
        let backups = folder.backups()
        let last = mark.read() ?? backups.last { $0.kind == .kept }?.askedAt
        lastGoodMilliseconds = Atomic(last?.milliseconds ?? 0)
        var first = State(backups: backups, lastID: backups.last?.id ?? "")
        if settings.hours > 0 {
            let period = settings.hours * 3600
            let age = last.map { Int(clamping: (Instant.now.milliseconds - $0.milliseconds) / 1000) } ?? period
            first.dueAt = MonotonicTime.seconds + min(max(period - age, 0), period)
        }
        state = Mutex(first)
    }

    /// When the last good one was made; nil when there is none.
    package var lastGood: Instant? {
        let time = lastGoodMilliseconds.load(ordering: .relaxed)
        return time == 0 ? nil : Instant(milliseconds: time)
    }
    /// Hours between two of the schedule; 0 without one.
    package var hours: Int { settings.hours }
    /// Made, and failed, in this life of the process.
    package var counts: (good: Int, failed: Int) {
        (goodCount.load(ordering: .relaxed), failedCount.load(ordering: .relaxed))
    }

    /// All that are there, under way or failed lately, the newest first.
    package var all: [Backup] { state.withLock { $0.backups.sorted { $0.id > $1.id } } }

    package func find(_ id: String) -> Backup? {
        state.withLock { state in
            if state.lookedAt[id] != nil { state.lookedAt[id] = MonotonicTime.seconds }
            return state.backups.first { $0.id == id }
        }
    }

    /// Asks for one, to be kept or to be fetched. Where one of the kind still copies, and so will hold all that is acknowledged now, it is
    /// that one; nil where enough wait to be fetched. Any thread.
    package func ask(_ kind: Backup.Kind) -> Backup? {
        let backup = state.withLock { state -> Backup? in
            let known = state.backups.first {
                $0.kind == kind && kind == .kept && ($0.state == .waiting || $0.state == .copying)
            }
            if let known { return known }
            let fetched = state.backups.filter { $0.kind == .fetched && $0.state != .failed }
            if kind == .fetched, fetched.count >= BackupSettings.fetchedMax { return nil }
            return Self.add(kind, to: &state)
        }
        if hasThread() {
            bell.ring()
        } else if let backup, backup.state == .waiting {
            fail(backup, Self.noThread)
        }
        return backup
    }

    private static func add(_ kind: Backup.Kind, to state: inout State) -> Backup {
        let backup = Backup(Backup.id(after: state.lastID, at: .now), kind)
        state.lastID = backup.id
        state.backups.append(backup)
        if kind == .fetched { state.lookedAt[backup.id] = MonotonicTime.seconds }
        return backup
    }

    /// Where there is a schedule.
    func start() {
        if settings.hours > 0, !hasThread() {
            say(.fault("no backup is made by the schedule: \(Self.noThread)"))
        }
    }

    static let noThread = "the system has no thread to give"

    /// Whether it runs, or is to run no more.
    private func hasThread() -> Bool {
        thread.withLock { running in
            guard running == nil, isWanted else { return true }
            running = OwnThread("backup", isBehindOthers: true) { self.run() }
            return running != nil
        }
    }

    var isWanted: Bool { !state.withLock { $0.isStopped } }

    private func run() {
        while isWanted {
            expire()
            guard let next = next() else {
                bell.wait(seconds: secondsToWait)
                continue
            }
            make(next)
        }
    }

    /// What is to be made now: what was asked for, or is due.
    private func next() -> Backup? {
        state.withLock { state in
            if let asked = state.backups.first(where: { $0.state == .waiting }) { return asked }
            guard let due = state.dueAt, due <= MonotonicTime.seconds else { return nil }
            return Self.add(.kept, to: &state)
        }
    }

    private var secondsToWait: Int {
        state.withLock { state in
            let due = state.dueAt.map { $0 - MonotonicTime.seconds } ?? 60
            return min(max(due, 1), 60)
        }
    }

    /// Hands an order to the writer, and waits for it.
    func copy(to file: CopyFile) throws(StoreError) {
        let order = CopyOrder(path: file.path)
        orders.give(order)
        wake()
        do throws(SQLiteError) { try order.wait() } catch {
            throw .file(path: file.path, reason: "the copy failed: \(error.message) (SQLite error \(error.code))")
        }
    }

    func note(_ backup: Backup, isGood: Bool) {
        if backup.kind == .kept, isGood {
            lastGoodMilliseconds.store(Instant.now.milliseconds, ordering: .relaxed)
            mark.write(.now)
        }
        if isGood {
            goodCount.wrappingAdd(1, ordering: .relaxed)
        } else {
            failedCount.wrappingAdd(1, ordering: .relaxed)
        }
        guard settings.hours > 0, backup.kind == .kept else { return }
        let pause = isGood ? settings.hours * 3600 : min(BackupSettings.retrySeconds, settings.hours * 3600)
        state.withLock { $0.dueAt = MonotonicTime.seconds + pause }
    }

    /// Ends it: what is under way is broken off. The writer ends meanwhile, and with it the order that it has.
    func stop() {
        state.withLock { $0.isStopped = true }
        bell.ring()
    }

    /// Waits for the thread's end; after the writer's.
    func join() {
        thread.withLock { $0.take() }?.wait()
        expire(all: true)
    }
}
