internal import Glibc
internal import Scheduling
internal import Synchronization

/// What a loop's thread changes as it runs.
struct LoopState: ~Copyable {
    var handler: (any RequestHandler)?
    var table: ConnectionTable
    var wheel: TimerWheel

    /// The head that requests are parsed into; an incomplete request takes it along.
    var scratch: UnsafeMutablePointer<RequestHead>
    var spareHeads: [UnsafeMutablePointer<RequestHead>] = []

    /// The work that waits for the turn of its subject.
    var turns: FairQueue<Subject, LoopWork>
    /// Streams and deferred answers the handler has to be told of.
    var closed: [ConnectionID] = []
    var listeners: [Listener] = []
    /// All loops of the server; known to the first one only. Every loop's thread keeps them alive.
    var siblings: [Sibling] = []
    /// A descriptor to give up when there are no others, see `turnAway`.
    var reserve: Int32 = -1
    var isAcceptingPaused = false
    /// Who was quiet when all connections were taken, and since when, the quietest last.
    var quiet: [(since: Int64, userData: UInt64)] = []
    /// Jobs for later, the next one last.
    var alarms: [Alarm] = []
    /// When to look again who is quiet, in monotonic milliseconds.
    var nextLook: Int64 = 0
    var thread = pthread_t()

    /// Monotonic milliseconds.
    var now: Int64
    var second: Int64 = 0
    var exchange: UInt32 = 0
    var requestNumbers = RequestNumbers()
    var origins: Origins?
    /// Bytes of all the connections' own buffers.
    var bufferedBytes = 0
    var drainDeadline: Int64?
    var isDraining = false
    var isStopped = false

    init(_ limits: HTTPLimits, now: Int64) {
        table = ConnectionTable(connectionsMax: limits.connectionsMax)
        wheel = TimerWheel(now: now)
        scratch = Self.makeHead(limits.headFieldsMax)
        turns = FairQueue(quantum: limits.turnMicrosecondsMax * 1000)
        self.now = now
    }

    deinit {
        for head in spareHeads + [scratch] {
            head.deinitialize(count: 1)
            head.deallocate()
        }
    }

    static func makeHead(_ fieldsMax: Int) -> UnsafeMutablePointer<RequestHead> {
        let head = UnsafeMutablePointer<RequestHead>.allocate(capacity: 1)
        head.initialize(to: RequestHead(fieldsMax: fieldsMax))
        return head
    }

    /// Gives the scratch head away with what it knows, and takes another one.
    mutating func giveScratch(_ fieldsMax: Int) -> UnsafeMutablePointer<RequestHead> {
        let given = scratch
        scratch = spareHeads.popLast() ?? Self.makeHead(fieldsMax)
        return given
    }

    /// Takes a head back; a few are kept for the next incomplete requests.
    mutating func takeBack(_ head: UnsafeMutablePointer<RequestHead>) {
        if spareHeads.count < 16 {
            head.pointee.reset()
            spareHeads.append(head)
        } else {
            head.deinitialize(count: 1)
            head.deallocate()
        }
    }
}

/// How many connections a server has, on all loops.
final class ServerLoad: Sendable {
    private let connections = Atomic<Int>(0)

    init() {}

    func add(_ count: Int) { connections.wrappingAdd(count, ordering: .relaxed) }
    var count: Int { connections.load(ordering: .relaxed) }
}

/// How many connections a loop has, or is about to get: what the accepting loop chooses by.
final class LoopLoad: Sendable {
    private let connections = Atomic<Int>(0)
    /// Of all loops.
    let server: ServerLoad

    init(of server: ServerLoad) { self.server = server }

    func add(_ count: Int) {
        connections.wrappingAdd(count, ordering: .relaxed)
        server.add(count)
    }

    var count: Int { connections.load(ordering: .relaxed) }
}
