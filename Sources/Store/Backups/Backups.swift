import Measures
package import Model
import Scheduling
import Synchronization

/// The backups of an open database, and a low-priority thread that makes new ones, one at a time.
package final class Backups: Sendable {
    struct Registry {
        /// The backups in the order of their requests.
        var backups: [Backup] = []
        var isStopped = false
        /// The time of the next scheduled backup in monotonic seconds, or `nil`.
        var dueAt: Int?
        /// The time of the last successful backup, or `nil`. At the start it is that of the last one in the directory.
        var lastGood: Instant?
        /// The numbers of successful and failed backups since the process started.
        var counts = (good: 0, failed: 0)

        /// Schedules the backup that begins a log of rows: now, unless the last two backups were made within an hour.
        /// So repeated crashes do not replace older backups within minutes.
        mutating func beginRowLog() {
            let made = backups.filter { $0.kind == .kept && $0.state == .done }.suffix(2)
            let second = made.count == 2 ? made.first?.askedAt : nil
            let age = second.map { Int(clamping: (Instant.now.milliseconds - $0.milliseconds) / 1000) } ?? .max
            let rest = min(max(BackupSettings.rowLogSecondsMin - age, 0), BackupSettings.rowLogSecondsMin)
            dueAt = min(MonotonicClock.seconds() + rest, dueAt ?? .max)
        }

        /// Replaces the backup with the same id.
        mutating func update(_ backup: Backup) {
            if let index = backups.firstIndex(where: { $0.id == backup.id }) { backups[index] = backup }
        }
    }

    let state: Mutex<Registry>
    private let wakeEvent = Semaphore()
    private let thread = Mutex<DedicatedThread?>(nil)
    let directory: DataDirectory
    let folder: BackupDirectory
    let settings: BackupSettings
    /// The log of the rows that were changed since the backups.
    let rowLog: RowLog
    /// The bytes to leave free on the database's disk.
    let spare: Int64
    let report: @Sendable (OperatorNotice) -> Void

    /// Creates the backups of a directory's database; `lastEnd` is the record of the last clean end, unless the database
    /// was changed since.
    init(
        _ directory: DataDirectory, _ configuration: StoreConfiguration, lastEnd: String?,
        report: @escaping @Sendable (OperatorNotice) -> Void
    ) {
        (self.directory, self.report) = (directory, report)
        settings = configuration.backups
        spare = configuration.diskBytesSpared
        folder = BackupDirectory(path: settings.directory ?? directory.backups)
        folder.clear()
        rowLog = RowLog(folder)
        let backups = folder.backups()
        let last = backups.last { $0.kind == .kept }?.askedAt
        var first = Registry(backups: backups, lastGood: last)
        if settings.hours > 0 {
            let period = settings.hours * 3600
            let age = last.map { Int(clamping: (Instant.now.milliseconds - $0.milliseconds) / 1000) } ?? period
            first.dueAt = MonotonicClock.seconds() + min(max(period - age, 0), period)
        }
        if settings.logsRows, !rowLog.resume(after: lastEnd) { first.beginRowLog() }
        state = Mutex(first)
    }

    /// The time of the last successful backup, or `nil`.
    package var lastGood: Instant? { state.withLock { $0.lastGood } }
    /// The numbers of successful and failed backups since the process started.
    package var counts: (good: Int, failed: Int) { state.withLock { $0.counts } }

    /// A Boolean value indicating whether a backup is being copied.
    var isUnderWay: Bool { state.withLock { $0.backups.contains { $0.state == .copying } } }

    /// All backups, newest first: finished, in progress or recently failed.
    package var all: [Backup] {
        state.withLock { $0.backups.sorted { $0.id > $1.id } }
    }

    /// Requests a backup. Can be called on any thread. If one already waits, returns that one, which will contain all
    /// acknowledged changes.
    package func ask() -> Backup {
        state.withLock { state in
            if let waiting = state.backups.first(where: { $0.state == .waiting }) { return waiting }
            wakeEvent.signal()
            return Self.add(to: &state)
        }
    }

    /// Adds a backup with a new id.
    private static func add(to state: inout Registry) -> Backup {
        let backup = Backup(Backup.id(after: state.backups.last?.id ?? "", at: .now), .kept)
        state.backups.append(backup)
        return backup
    }

    /// Starts the thread that makes backups, and reports a directory in which no backup can be made. Returns `false` if
    /// the system cannot start a thread.
    func start() -> Bool {
        if settings.directory != nil, let problem = folder.problem() {
            report(.fault("cannot make backups: \(problem)"))
        }
        if settings.logsRows, !rowLog.isOpen, lastGood != nil {
            let when = timeToNextBackup
            let notice = "no log of rows continues from the last process; the next backup begins one, \(when)"
            report(when == "now" ? .info(notice) : .fault(notice))
        }
        return thread.withLock { running in
            running = DedicatedThread("backup", isBehindOthers: true) { self.run() }
            return running != nil
        }
    }

    /// The time until the next backup, in words.
    private var timeToNextBackup: String {
        let seconds = state.withLock { $0.dueAt.map { $0 - MonotonicClock.seconds() } ?? 0 }
        return seconds <= 0 ? "now" : "in \(seconds) s"
    }

    var isWanted: Bool { !state.withLock { $0.isStopped } }

    private func run() {
        while isWanted {
            writeRows()
            guard let next = next() else {
                wakeEvent.wait(milliseconds: rowLog.isOpen ? 1000 : secondsToWait * 1000)
                continue
            }
            make(next)
        }
    }

    /// The time up to which the log of rows is on disk, or `nil` without one.
    package var rowsUntil: Instant? { rowLog.writtenUntil }

    /// Writes the records of changed rows that wait, if that leaves the space that the database needs. After an error a
    /// backup begins another log.
    func writeRows() {
        guard rowLog.isOpen else { return }
        do throws(StoreError) {
            if FreeDiskSpace.isShared(folder.path, directory.path),
                let free = FreeDiskSpace.free(at: folder.path), free < spare
            {
                throw .file(path: folder.path, reason: "the disk has only \(free) bytes free")
            }
            try rowLog.write()
        } catch {
            rowLog.end()
            state.withLock { $0.beginRowLog() }
            report(.fault("the log of rows ended: \(error). The next backup begins another one, \(timeToNextBackup)"))
        }
    }

    /// Returns the requested or due backup to make now, or `nil` if there is none.
    private func next() -> Backup? {
        state.withLock { state in
            if let asked = state.backups.first(where: { $0.state == .waiting }) { return asked }
            guard let due = state.dueAt, due <= MonotonicClock.seconds() else { return nil }
            // The next backup is scheduled when this one has ended.
            state.dueAt = nil
            return Self.add(to: &state)
        }
    }

    private var secondsToWait: Int {
        state.withLock { state in
            let due = state.dueAt.map { $0 - MonotonicClock.seconds() } ?? 60
            return min(max(due, 1), 60)
        }
    }

    /// Records a backup that has succeeded or failed, and schedules the next one.
    func recordEnd(of backup: Backup) {
        let (now, isGood, period) = (Instant.now, backup.state == .done, settings.hours * 3600)
        state.withLock { state in
            state.update(backup)
            if isGood {
                state.lastGood = now
                state.counts.good += 1
            } else {
                state.counts.failed += 1
                let failed = state.backups.filter { $0.state == .failed }.suffix(BackupSettings.failuresMax).map(\.id)
                state.backups.removeAll { $0.state == .failed && !failed.contains($0.id) }
            }
            if period > 0 {
                state.dueAt = MonotonicClock.seconds() + (isGood ? period : min(BackupSettings.retrySeconds, period))
            }
            if isGood, settings.logsRows, !rowLog.isOpen { state.beginRowLog() }
        }
    }

    /// Writes the end of the row log. Called after the writer has ended, with the record of the clean end, if there is
    /// one.
    func closeRowLog(at end: String?) {
        guard rowLog.isOpen else { return }
        do throws(StoreError) { try rowLog.close(at: end) } catch {
            report(.fault("the log of rows is not complete: \(error)"))
        }
    }

    /// Stops the backups, cancels work in progress, and waits for the thread to end.
    func stop() {
        state.withLock { $0.isStopped = true }
        wakeEvent.signal()
        thread.withLock { $0.take() }?.wait()
    }
}
