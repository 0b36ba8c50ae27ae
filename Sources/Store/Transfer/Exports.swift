import CLinux
import Glibc
package import Model
import Synchronization

/// Exports under way: each on a thread of its own behind all others, with a connection and a snapshot of its own.
package final class Exports: Sendable {
    /// What is written, from the snapshot.
    package typealias Writing = @Sendable (ReadConnection, ExportSink) throws(LecternError) -> Void
    package typealias Completion = @Sendable (Result<ExportFile, LecternError>) -> Void

    /// How many there may be, and of one reader.
    private static let countMax = 4
    private static let perReaderMax = 1
    /// A snapshot keeps the write-ahead log from beginning anew: so it ends after so many seconds, or frames (about 1 GiB).
    private static let secondsMax = 600
    private static let framesMax = 262_144

    private struct State {
        var readers: [Int64] = []
        var isStopped = false
        /// Who waits for the last of them.
        var waiter: Latch?
    }

    private let state = Mutex(State())
    private let directory: DataDirectory
    private let counters: StoreCounters

    init(_ directory: DataDirectory, _ counters: StoreCounters) {
        (self.directory, self.counters) = (directory, counters)
    }

    /// What one thread is to do.
    private final class Job: Sendable {
        let exports: Exports
        let reader: Int64
        let writing: Writing
        let completion: Completion

        init(_ exports: Exports, _ reader: Int64, _ writing: @escaping Writing, _ completion: @escaping Completion) {
            (self.exports, self.reader, self.writing, self.completion) = (exports, reader, writing, completion)
        }
    }

    /// Begins one for a reader; `completion` is called on its thread.
    package func begin(
        for reader: Int64, _ writing: @escaping Writing, completion: @escaping Completion
    ) throws(LecternError) {
        let refusal = state.withLock { state -> LecternError? in
            if state.isStopped { return .unavailable(.notReady, "The server is stopping.", retryAfterSeconds: 5) }
            let own = state.readers.filter { $0 == reader }.count
            guard own < Self.perReaderMax else {
                return Self.tooMany("exportsPerReaderMax", Self.perReaderMax, of: own)
            }
            let all = state.readers.count
            guard all < Self.countMax else { return Self.tooMany("exportsMax", Self.countMax, of: all) }
            state.readers.append(reader)
            return nil
        }
        if let refusal { throw refusal }
        var started = pthread_t()
        let job = Job(self, reader, writing, completion)
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
            leave(reader)
            throw .internalError("no thread can be made for an export")
        }
        pthread_detach(started)
    }

    private func run(_ job: Job) {
        do throws(LecternError) {
            let file = try write(job.writing)
            leave(job.reader)
            job.completion(.success(file))
        } catch {
            leave(job.reader)
            job.completion(.failure(error))
        }
    }

    private func write(_ writing: Writing) throws(LecternError) -> ExportFile {
        let file = try ExportFile(in: directory.path)
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
            try file.append(bytes)
        }
        return file
    }

    private func leave(_ reader: Int64) {
        state.withLock { state in
            if let index = state.readers.firstIndex(of: reader) { state.readers.remove(at: index) }
            if state.readers.isEmpty { state.waiter?.open() }
        }
    }

    /// Breaks off what is under way, and waits for it.
    func stop() {
        let last = Latch()
        let isIdle = state.withLock { state in
            (state.isStopped, state.waiter) = (true, last)
            return state.readers.isEmpty
        }
        if !isIdle { last.wait() }
    }

    private static func tooMany(_ limit: String, _ max: Int, of count: Int) -> LecternError {
        .tooManyRequests(
            limit: limit, max: max, "\(count) exports are under way, which is the limit \(limit). Wait for them.",
            retryAfterSeconds: 10)
    }
}
