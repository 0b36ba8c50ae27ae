import Measures
package import Model
import Scheduling
import Synchronization

/// The exports in progress. Each runs on its own low-priority thread, with its own connection and snapshot.
package final class ExportsInProgress: Sendable {
    /// A function that writes an export from the snapshot.
    package typealias Writing = @Sendable (ReadConnection, ExportSink) throws(RequestError) -> Void
    /// The maximum number of exports that are written at once (one more by an administrator), and in all until they are
    /// fetched. A reader has one. Each is a file on the disk that the database needs.
    private static let countMax = 4
    private static let openMax = 32
    /// The seconds after which an export ends, and the size of the write-ahead log at which it ends. Its snapshot keeps
    /// the log from being reset.
    private static let secondsMax = 600
    private static let walBytesMax = 1 << 30

    private struct State {
        /// The readers of all exports, including those that are being fetched.
        var readers: Set<Int64> = []
        /// The number of exports that are being written.
        var writing = 0
        var isStopped = false
        /// The semaphore that is signalled when the last export ends.
        var waiter: Semaphore?
    }

    private let state = Mutex(State())
    private let directory: DataDirectory
    private let counters: StoreCounters
    private let configuration: StoreConfiguration

    init(_ directory: DataDirectory, _ counters: StoreCounters, _ configuration: StoreConfiguration) {
        (self.directory, self.counters, self.configuration) = (directory, counters, configuration)
    }

    /// Starts an export for a reader. `completion` is called on the export's thread.
    package func begin(
        for reader: Int64, isAdministrator: Bool, _ writing: @escaping Writing, completion: @escaping ExportCompletion
    ) throws(RequestError) {
        let refusal = state.withLock { state -> RequestError? in
            if state.isStopped { return Self.stopping }
            // Overlapping exports keep the log from being reset, so no export starts while it is long.
            if counters[.walBytes] > configuration.walBytesMax { return Self.longLog }
            if state.readers.contains(reader) { return Self.tooMany("exportsPerReaderMax", 1, of: 1) }
            let max = Self.countMax + (isAdministrator ? 1 : 0)
            guard state.writing < max else { return Self.tooMany("exportsMax", max, of: state.writing) }
            let all = state.readers.count
            guard all < Self.openMax || isAdministrator else {
                return Self.tooMany("exportsOpenMax", Self.openMax, of: all)
            }
            state.readers.insert(reader)
            state.writing += 1
            return nil
        }
        if let refusal { throw refusal }
        // An administrator may have to free space by exporting everything to another machine.
        let spare = isAdministrator ? configuration.ballastBytes : configuration.diskBytesSpared
        let thread = DedicatedThread("export", isBehindOthers: true) {
            let result: Result<ExportTemporaryFile, RequestError>
            do throws(RequestError) {
                result = .success(try self.write(writing, for: reader, spare: Int(clamping: spare)))
            } catch {
                result = .failure(error)
            }
            self.recordWritten()
            completion(result)
        }
        guard let thread else {
            recordWritten()
            leave(reader)
            throw .internalError("the system cannot start a thread for an export")
        }
        thread.leave()
    }

    private func write(
        _ writing: Writing, for reader: Int64, spare: Int
    ) throws(RequestError) -> ExportTemporaryFile {
        let file = try ExportTemporaryFile(in: directory.path) { self.leave(reader) }
        let reads: ReadConnection
        do throws(SQLiteError) { reads = try ReadConnection(path: directory.database) } catch {
            throw error.asRequestError
        }
        let end = MonotonicClock.seconds() + Self.secondsMax
        // The check also runs within a statement, because a query that sorts first returns no rows for a long time.
        reads.db.interrupt(unless: { self.refusal(at: end) == nil })
        do throws(RequestError) {
            try writing(reads) { bytes throws(RequestError) in
                if let refusal = refusal(at: end) { throw refusal }
                guard counters[.diskBytesFree] >= spare else { throw .outOfSpace }
                try file.append(bytes)
            }
        } catch {
            throw refusal(at: end) ?? error
        }
        return file
    }

    /// Returns the reason to end an export, or `nil`.
    private func refusal(at end: Int) -> RequestError? {
        if state.withLock({ $0.isStopped }) { return Self.stopping }
        guard MonotonicClock.seconds() >= end || counters[.walBytes] >= Self.walBytesMax else { return nil }
        return .unavailable(
            .readTooLong, "The export was cancelled because too much was written at the same time. Try again later.",
            retryAfterSeconds: 60)
    }

    private static let stopping = RequestError.unavailable(
        .notReady, "The server is stopping. Try again in a moment.", retryAfterSeconds: 5)
    private static let longLog = RequestError.unavailable(
        .notReady, "Other exports hold too much of the write-ahead log, and must end first. Try again later.",
        retryAfterSeconds: 30)

    /// A Boolean value indicating whether an export is being written.
    var isUnderWay: Bool { state.withLock { $0.writing > 0 } }

    private func leave(_ reader: Int64) { _ = state.withLock { $0.readers.remove(reader) } }

    private func recordWritten() {
        state.withLock { state in
            state.writing -= 1
            if state.writing == 0 { state.waiter?.signal() }
        }
    }

    /// Cancels the exports in progress and waits for their end.
    func stop() {
        let last = Semaphore()
        let isIdle = state.withLock { state in
            (state.isStopped, state.waiter) = (true, last)
            return state.writing == 0
        }
        if !isIdle { last.wait() }
    }

    private static func tooMany(_ limit: String, _ max: Int, of count: Int) -> RequestError {
        .exceeded(
            .tooManyRequests, limit: limit, max: max,
            "As many exports are running as \(limit) allows: \(count). Wait until one ends.",
            retryAfterSeconds: 10)
    }
}

package typealias ExportCompletion = @Sendable (Result<ExportTemporaryFile, RequestError>) -> Void
