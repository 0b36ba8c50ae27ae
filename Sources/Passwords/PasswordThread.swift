internal import Dispatch
internal import Scheduling
internal import Synchronization

/// The thread that hashes passwords, with the lowest priority. One hash at a time takes its memory, and guesses do not
/// delay readers. Jobs beyond `queueMax`, or beyond a party's places, are refused.
package final class PasswordThread: Sendable {
    /// A job, which gets `nil` if crypt(3) does not support yescrypt, or if the thread has been stopped.
    package typealias Job = @Sendable (PasswordHasher?) -> Void

    /// The maximum number of waiting jobs.
    package static let queueMax = 16
    /// The number of places in the queue that anonymous clients cannot take. They are for signed-in readers and for
    /// clients with a valid link.
    package static let reservedCount = 4

    /// The error of a full queue. `max` is the maximum for `party` or, without one, for the whole queue.
    package struct Full: Error, Equatable {
        package let max: Int
        package let party: PasswordClient?
    }

    private struct State {
        var waiting: [(job: Job, parties: [PasswordClient])] = []
        var isClosed = false
        var thread: DedicatedThread?

        /// Throws unless another job has a place.
        func demandRoom(for parties: [PasswordClient]) throws(Full) {
            let isStranger = !parties.isEmpty && !parties.contains { $0.isKnown }
            let max = isStranger ? queueMax - reservedCount : queueMax
            if isClosed || waiting.count >= max { throw Full(max: max, party: nil) }
            for party in parties where waiting.count(where: { $0.parties.contains(party) }) >= party.waitingMax {
                throw Full(max: party.waitingMax, party: party)
            }
        }
    }

    private let state = Mutex(State())
    /// Signalled for each job, and at the end.
    private let arrivals = DispatchSemaphore(value: 0)
    private let mebibytes: Int

    /// Creates the thread's queue. `mebibytes` is that of `PasswordHasher.init(mebibytes:)`.
    package init(mebibytes: Int) { self.mebibytes = mebibytes }

    /// Adds a job that runs on the thread. Throws if too many wait, or after `stop`. Callable from any thread. The
    /// thread starts with the first job: a service without passwords has none.
    package func submit(for parties: [PasswordClient] = [], _ job: @escaping Job) throws(Full) {
        try state.withLock { state throws(Full) in
            try state.demandRoom(for: parties)
            if state.thread == nil { state.thread = DedicatedThread("passwords", isBehindOthers: true) { self.run() } }
            // The system has no resources for a thread.
            if state.thread == nil { throw Full(max: Self.queueMax, party: nil) }
            state.waiting.append((job, parties))
        }
        arrivals.signal()
    }

    /// Throws unless another job would be accepted.
    package func demandRoom(for parties: [PasswordClient]) throws(Full) {
        try state.withLock { state throws(Full) in try state.demandRoom(for: parties) }
    }

    /// Ends the waiting jobs, and returns when the current job is done.
    package func stop() {
        let (running, waiting) = state.withLock { state in
            defer { (state.isClosed, state.waiting, state.thread) = (true, [], nil) }
            return (state.thread, state.waiting)
        }
        arrivals.signal()
        for (job, _) in waiting { job(nil) }
        running?.wait()
    }

    private func run() {
        var hasher: PasswordHasher?
        while let job = next() {
            if hasher == nil { hasher = PasswordHasher(mebibytes: mebibytes) }
            job(hasher)
        }
    }

    /// Returns the job that has waited longest, or `nil` after `stop`.
    private func next() -> Job? {
        arrivals.wait()
        return state.withLock { $0.isClosed ? nil : $0.waiting.removeFirst().job }
    }
}
