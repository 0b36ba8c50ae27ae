internal import Glibc
internal import Scheduling
internal import Synchronization

/// The mutable state of a loop's thread.
struct EventLoopState: ~Copyable {
    var handler: (any RequestHandler)?
    var table: ConnectionTable

    /// The head into which requests are parsed. An incomplete request keeps it, and another one takes its place.
    var scratch: UnsafeMutablePointer<RequestHead>

    /// Work that waits for the turn of its client. See `SchedulingSubject`.
    var turns: FairQueue<SchedulingSubject, QueuedLoopWork>
    /// The closed streams and deferred responses that the handler is still to be notified of.
    var closed: [ConnectionID] = []
    var listeners: [ListeningSocket] = []
    /// All loops of the server; only the first loop has this list. A loop does not own the others, or itself: every
    /// loop's thread keeps all of them alive.
    var siblings: [Unmanaged<EventLoop>] = []
    /// A descriptor to close when no other is free; see `refuseWithoutDescriptor`.
    var reserve: Int32 = -1
    var isAcceptingPaused = false
    /// The connections that were quiet when the maximum was reached, and since when, the quietest last.
    var quiet: [(since: Int64, userData: UInt64)] = []
    /// Delayed jobs, each with the monotonic milliseconds at which it is due, the next one last.
    var alarms: [(due: Int64, job: () -> Void)] = []
    /// The monotonic milliseconds at which to collect the quiet connections again.
    var nextCollection: Int64 = 0
    var thread = pthread_t()

    /// The monotonic milliseconds at which the loop last woke up.
    var now: Int64
    var second: Int64 = 0
    var exchange: UInt32 = 0
    var requestNumbers = RequestIDGenerator()
    var origins: AllowedOrigins?
    /// The bytes of all buffers that connections own.
    var bufferedBytes = 0
    var drainDeadline: Int64?
    var isStopped = false

    init(_ limits: HTTPLimits, now: Int64) {
        table = ConnectionTable(connectionsMax: limits.connectionsMax)
        scratch = Self.makeHead(limits.headFieldsMax)
        turns = FairQueue(quantum: limits.turnMicrosecondsMax * 1000)
        self.now = now
    }

    deinit {
        Self.free(scratch)
    }

    static func makeHead(_ fieldsMax: Int) -> UnsafeMutablePointer<RequestHead> {
        let head = UnsafeMutablePointer<RequestHead>.allocate(capacity: 1)
        head.initialize(to: RequestHead(fieldsMax: fieldsMax))
        return head
    }

    /// Returns the scratch head with its contents, and replaces it.
    mutating func takeScratchHead(_ fieldsMax: Int) -> UnsafeMutablePointer<RequestHead> {
        let given = scratch
        scratch = Self.makeHead(fieldsMax)
        return given
    }

    static func free(_ head: UnsafeMutablePointer<RequestHead>) {
        head.deinitialize(count: 1)
        head.deallocate()
    }
}

/// A number of connections, including those about to be handed over to a loop.
final class ConnectionCount: Sendable {
    private let connections = Atomic<Int>(0)

    func add(_ count: Int) { connections.wrappingAdd(count, ordering: .relaxed) }
    var count: Int { connections.load(ordering: .relaxed) }
}
