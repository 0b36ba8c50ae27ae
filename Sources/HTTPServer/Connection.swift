package import Bytes

/// One client's connection: what it is doing, and the bytes that wait. A quiet one owns no buffers.
struct Connection: ~Copyable {
    /// The state machine. `head` and `body` are incomplete requests; `closing` still sends, `lingering` only waits for the
    /// client to close after us. While `output` holds bytes nothing is parsed, whatever the phase.
    enum Phase: UInt8 {
        case free, idle, head, body, handling, deferred, stream, closing, lingering
    }

    /// Bytes that the socket did not take, or that are not yet a request.
    struct Kept: ~Copyable {
        var buffer = ByteBuffer()
        var start = 0
        var count: Int { buffer.count - start }
    }

    let slot: UInt32
    var descriptor: Int32 = -1
    /// Counts the connections of this slot; epoll's user data carries it.
    var generation: UInt32 = 0
    /// Names the present exchange, see `ConnectionID`.
    var exchange: UInt32 = 0
    var phase = Phase.free

    /// An edge was seen and the socket has not been emptied since.
    var isReadable = false
    /// The client sends no more.
    var isPeerDone = false
    /// `EPOLLOUT` is registered.
    var watchesOutput = false
    /// Waits for its subject's turn.
    var isQueued = false
    /// The bytes of the complete request at the beginning of `input` that waits for its subject's turn; 0 for none.
    var parkedCount = 0
    /// The account of the subject by which it was last used.
    var account: LoopAccount?
    /// Unread bytes may be left: close only after the client did, or they would reset what we sent.
    var lingers = false
    /// The handler must be told that the stream takes frames.
    var owesWritable = false
    /// Accepted when all connections were taken: it may ask for `HTTPLimits.reservedPath` only, until there are fewer.
    var isReserved = false

    /// Seconds without a frame after which the handler is told; 0 for `HTTPLimits.streamIdleSeconds`.
    var streamIdleSeconds: Int32 = 0

    var asksHead = false
    var isHTTP10 = false
    var keepsAlive = true
    /// Which of the `Origins` waits for a deferred answer.
    var origin: Int16 = -1
    /// Of the request whose answer is deferred, or which has become a stream.
    var trace = RequestTrace()
    var transport = Transport.tcp(.unspecified)

    var input = ByteBuffer()
    var output = Kept()
    /// An incomplete request's head.
    var head: UnsafeMutablePointer<RequestHead>?

    /// Monotonic milliseconds.
    var since: Int64 = 0
    var deadline: Int64 = 0

    /// The timer wheel's links: slots, -1 for none.
    var timerSecond: Int64 = -1
    var timerBucket: Int32 = -1
    var timerNext: Int32 = -1
    var timerPrevious: Int32 = -1
    var nextFree: Int32 = -1

    init(slot: UInt32) { self.slot = slot }

    /// Bytes wait that nobody has looked at yet: requests behind an answer, or for the next turn. The socket is not read
    /// before they are served.
    var hasBacklog: Bool { phase == .idle && input.count > 0 }
    var isReading: Bool { phase == .idle || phase == .head || phase == .body }
    var isKept: Bool { output.count > 0 }
    /// What epoll gives back.
    var userData: UInt64 { UInt64(generation) << 32 | UInt64(slot) }
    var bufferedBytes: Int { input.capacity + output.buffer.capacity }
}

typealias ConnectionPointer = UnsafeMutablePointer<Connection>

/// Names one exchange (a request and its answer, or a stream) on one connection. It is never valid for a later request
/// of the same connection, nor for a later connection in the same slot: whatever comes late does nothing.
package struct ConnectionID: Hashable, Sendable {
    package let loop: Int32
    let slot: UInt32
    let generation: UInt32

    /// Identifiers are made by the event loop; this one is for tests of handlers.
    package init(loop: Int32, slot: UInt32, generation: UInt32) {
        self.loop = loop
        self.slot = slot
        self.generation = generation
    }
}

package enum Transport: Sendable, Equatable {
    /// From this address, which may be that of a proxy.
    case tcp(IPAddress)
    /// Over a Unix socket, by a process of this user (`SO_PEERCRED`, as it was at `connect`).
    case unix(uid: UInt32)

    var isUnix: Bool { if case .unix = self { true } else { false } }
}
