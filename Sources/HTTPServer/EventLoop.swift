internal import CLinux
internal import Glibc
internal import Synchronization

/// What became of frames given to a stream.
public enum SendResult: Sendable {
    /// All was sent.
    case sent
    /// The socket is full; the rest is kept. Wait for `streamWritable`.
    case kept
    /// The stream is gone; `connectionClosed` follows unless the handler ended it itself.
    case gone
}

/// One thread, one epoll, its connections and its handler. Everything in it belongs to its thread, except `execute`.
public final class EventLoop: @unchecked Sendable {
    /// The loop's number, from 0.
    public let index: Int
    let limits: HTTPLimits

    init(index: Int, limits: HTTPLimits) {
        self.index = index
        self.limits = limits
    }

    /// Runs a job on the loop's thread, soon: first in, first out, and before the next request is handled. Any thread.
    public func execute(_ job: @escaping @Sendable () -> Void) {}

    /// Monotonic milliseconds, as of the last time the loop woke up.
    public var now: Int64 { 0 }

    /// Writes a deferred answer. False: the client is gone, or the exchange is over; nothing was written.
    @discardableResult
    public func answer(_ id: ConnectionID, _ write: (inout ResponseWriter) -> Void) -> Bool { false }

    /// Sends frames to a stream, in one go. `gone` before the first `streamWritable` of the stream. While something is
    /// kept, more is added to what is kept, up to `HTTPLimits.streamKeptBytesMax`; better wait for `streamWritable`.
    public func send(_ frames: [[UInt8]], to id: ConnectionID) -> SendResult { .gone }

    /// Sends one frame to a stream, straight from the shared array.
    public func send(_ frame: [UInt8], to id: ConnectionID) -> SendResult { .gone }

    /// Ends a stream after what is kept. No callback follows. Does nothing for a stream that is gone.
    public func end(_ id: ConnectionID) {}
}
