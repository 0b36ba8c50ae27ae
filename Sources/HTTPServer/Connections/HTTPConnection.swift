package import Bytes

/// One client's connection: its state and its unprocessed bytes. An idle connection owns no buffers. Small variables
/// follow larger ones whose padding they fill.
struct HTTPConnection: ~Copyable {
    let slot: UInt32
    var descriptor: Int32 = -1
    /// The number of earlier connections in this slot. It is part of epoll's user data.
    let generation: UInt32
    /// The number of the current exchange; see `ConnectionID`.
    var exchange: UInt32 = 0
    /// The terms of the deferred response or the stream.
    var terms = ResponseTerms()
    var phase = ConnectionPhase.free

    /// A Boolean value indicating whether epoll reported input and the socket has not been emptied since.
    var isReadable = false
    /// A Boolean value indicating whether the client sends no more.
    var isPeerDone = false
    /// A Boolean value indicating whether the connection waits for the turn of its client. See `SchedulingSubject`.
    var isQueued = false
    /// A Boolean value indicating whether unread bytes may be left. Such a connection closes only after the client did,
    /// because a reset would discard the response.
    var lingers = false
    /// The trace of the request whose response is deferred or which has become a stream.
    var trace = RequestTrace()
    /// A Boolean value indicating whether the handler is still to be called when the stream accepts frames.
    var owesWritable = false
    /// A Boolean value indicating whether the connection was accepted beyond the maximum. It may request only
    /// `HTTPLimits.reservedPath` until there are fewer connections.
    var isReserved = false
    /// The seconds without a frame after which the handler is called, or 0 for `HTTPLimits.streamIdleSeconds`.
    var streamIdleSeconds: Int32 = 0
    /// The scheduling account of the client that used the connection last. See `SchedulingSubject`.
    var account: LoopAccount?

    var transport = ConnectionTransport.tcp(.unspecified)
    var nextFree: Int32 = -1
    /// The number of bytes of the complete request at the start of `input` that waits for its subject's turn, or 0.
    var parkedCount = 0

    var input = ByteBuffer()
    /// Bytes that the socket did not accept at first, of which it has accepted the first `sentCount` since.
    var output = ByteBuffer()
    var sentCount = 0
    /// The head of an incomplete request.
    var head: UnsafeMutablePointer<RequestHead>?

    /// The monotonic milliseconds at which the current phase began.
    var since: Int64 = 0
    /// The monotonic milliseconds at which the phase ends, checked once a second; `.max` for none.
    var deadline = Int64.max

    init(slot: UInt32, generation: UInt32 = 0) { (self.slot, self.generation) = (slot, generation) }

    /// A Boolean value indicating whether requests wait behind a response or for the next turn. They are served before
    /// the socket is read again.
    var hasBacklog: Bool { phase == .idle && input.count > 0 }
    var isReading: Bool { phase == .idle || phase == .head || phase == .body }
    /// A Boolean value indicating whether the stream's client has gone away, because it sends no more. The client of a
    /// finite stream may have closed its sending side only.
    var isStreamClientGone: Bool { isPeerDone && !terms.isFinite }
    var hasUnsentOutput: Bool { output.count > sentCount }
    /// The value that epoll returns with the connection's events.
    var userData: UInt64 { UInt64(generation) << 32 | UInt64(slot) }
    var bufferedBytes: Int { input.capacity + output.capacity }
}

/// The state of a connection. In `head` and `body` a request is incomplete; `closing` still sends; `lingering` only
/// waits until the client closes. While `output` holds bytes nothing is parsed, whatever the phase.
enum ConnectionPhase: UInt8 {
    case free, idle, head, body, handling, deferred, stream, closing, lingering
}

typealias ConnectionPointer = UnsafeMutablePointer<HTTPConnection>

/// The identity of one exchange (a request and its response, or a stream) on one connection. It is never valid for a
/// later request of the same connection, nor for a later connection in the same slot. Operations with an outdated
/// identity do nothing.
package struct ConnectionID: Hashable, Sendable {
    /// From the highest bit: 10 bits of the loop, 22 of the slot in its table, and 32 of the generation. A program has at
    /// most 256 loops and 2^20 connections.
    package let rawValue: UInt64

    package init(rawValue: UInt64) { self.rawValue = rawValue }

    /// Creates an identity for tests of handlers. All others are created by the event loop.
    package init(loop: Int32, slot: UInt32, generation: UInt32) {
        rawValue = UInt64(loop) << 54 | UInt64(slot) << 32 | UInt64(generation)
    }

    package var loop: Int32 { Int32(rawValue >> 54) }
    var slot: UInt32 { UInt32(truncatingIfNeeded: rawValue >> 32) & 0x3F_FFFF }
    var generation: UInt32 { UInt32(truncatingIfNeeded: rawValue) }
}

package enum ConnectionTransport: Sendable, Equatable {
    /// A TCP connection from this address, which may be that of a proxy.
    case tcp(IPAddress)
    /// A connection over a Unix socket, which only processes of this user may open.
    case unix

    var isUnix: Bool { self == .unix }
}
