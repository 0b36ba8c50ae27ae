import CLinux
import Glibc
package import Model
import Synchronization

/// Exports under way: each on a thread of its own behind all others, with a connection and a snapshot of its own.
package final class Exports: Sendable {
    /// What is written, from the snapshot.
    package typealias Writing = @Sendable (ReadConnection, ExportSink) throws(LecternError) -> Void
    package typealias Completion = @Sendable (Result<ExportFile, LecternError>) -> Void

    /// How many may be written, one more by an administrator, and how many there may be of one reader, and of all, until they are fetched:
    /// each is a file on the disk that the database needs.
    private static let countMax = 4
    private static let perReaderMax = 1
    private static let openMax = 32
    /// A snapshot keeps the write-ahead log from beginning anew: so it ends after so many seconds, or frames (about 1 GiB).
    private static let secondsMax = 600
    private static let framesMax = 262_144

    private struct State {
        /// Whose they are, those included that are being fetched.
        var readers: [Int64] = []
        /// How many are being written.
        var writing = 0
        var isStopped = false
        /// Who waits for the last of them.
        var waiter: Latch?
    }

    private let state = Mutex(State())
    private let directory: DataDirectory
    private let counters: StoreCounters
    /// Bytes of the disk that are left to others.
    private let spare: Int

    init(_ directory: DataDirectory, _ counters: StoreCounters, spare: Int64) {
        (self.directory, self.counters, self.spare) = (directory, counters, Int(clamping: spare))
    }

    /// What one thread is to do.
    private final class Job: Sendable {
        let exports: Exports
        let place: ExportPlace
        let writing: Writing
        let completion: Completion

        init(
            _ exports: Exports, _ place: ExportPlace, _ writing: @escaping Writing, _ completion: @escaping Completion
        ) {
            (self.exports, self.place, self.writing, self.completion) = (exports, place, writing, completion)
        }
    }

    /// Begins one for a reader; `completion` is called on its thread.
    package func begin(
        for reader: Int64, isAdministrator: Bool, _ writing: @escaping Writing, completion: @escaping Completion
    ) throws(LecternError) {
        let refusal = state.withLock { state -> LecternError? in
            if state.isStopped { return .unavailable(.notReady, "The server is stopping.", retryAfterSeconds: 5) }
            let own = state.readers.filter { $0 == reader }.count
            guard own < Self.perReaderMax else {
                return Self.tooMany("exportsPerReaderMax", Self.perReaderMax, of: own)
            }
            let max = Self.countMax + (isAdministrator ? 1 : 0)
            guard state.writing < max else { return Self.tooMany("exportsMax", max, of: state.writing) }
            let all = state.readers.count
            guard all < Self.openMax || isAdministrator else {
                return Self.tooMany("exportsOpenMax", Self.openMax, of: all)
            }
            state.readers.append(reader)
            state.writing += 1
            return nil
        }
        if let refusal { throw refusal }
        var started = pthread_t()
        let job = Job(self, ExportPlace(self, reader), writing, completion)
        // SAFETY: retained for that thread, which takes it exactly once.
        let code = pthread_create(
            &started, nil,
            { context in
                clinux_name_thread("export")
                clinux_yield_to_others()
                let job = Unmanaged<Job>.fromOpaque(context!).takeRetainedValue()
                job.exports.run(job)
                return nil
            }, Unmanaged.passRetained(job).toOpaque())
        guard code == 0 else {
            noteWritten()
            job.place.leave()
            throw .internalError("no thread can be made for an export")
        }
        pthread_detach(started)
    }

    private func run(_ job: Job) {
        do throws(LecternError) {
            let file = try write(job.writing, job.place)
            noteWritten()
            job.completion(.success(file))
        } catch {
            noteWritten()
            job.place.leave()
            job.completion(.failure(error))
        }
    }

    private func write(_ writing: Writing, _ place: ExportPlace) throws(LecternError) -> ExportFile {
        let file = try ExportFile(in: directory.path, place)
        let reads: ReadConnection
        do throws(SQLiteError) { reads = try ReadConnection(path: directory.database) } catch {
            throw error.asLecternError
        }
        let end = ContinuousClock.now + .seconds(Self.secondsMax)
        try writing(reads) { bytes throws(LecternError) in
            guard ContinuousClock.now < end, counters.walFrames < Self.framesMax, !state.withLock({ $0.isStopped })
            else {
                throw .unavailable(
                    .readTooLong, "So much was written meanwhile that the export was broken off. Try again later.",
                    retryAfterSeconds: 60)
            }
            // Before the writer's first look nothing is known.
            guard counters[.turn] == 0 || counters[.diskBytesFree] >= spare else { throw .outOfSpace }
            try file.append(bytes)
        }
        return file
    }

    func leave(_ reader: Int64) {
        state.withLock { state in
            if let index = state.readers.firstIndex(of: reader) { state.readers.remove(at: index) }
        }
    }

    private func noteWritten() {
        state.withLock { state in
            state.writing -= 1
            if state.writing == 0 { state.waiter?.open() }
        }
    }

    /// Breaks off what is under way, and waits for it.
    func stop() {
        let last = Latch()
        let isIdle = state.withLock { state in
            (state.isStopped, state.waiter) = (true, last)
            return state.writing == 0
        }
        if !isIdle { last.wait() }
    }

    private static func tooMany(_ limit: String, _ max: Int, of count: Int) -> LecternError {
        .tooManyRequests(
            limit: limit, max: max, "\(count) exports are under way, which is the limit \(limit). Wait for them.",
            retryAfterSeconds: 10)
    }
}
