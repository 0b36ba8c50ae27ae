package enum HandlerResult: Sendable {
    /// The response is written: a complete one, or by `ResponseWriter.stream` the head of a stream, whose frames follow
    /// by `EventLoop.send` after the first `streamWritable`.
    case answered
    /// The response is written later, by `EventLoop.answer`; anything written so far is dropped. The connection waits.
    case deferred
}

/// An application's interface to an event loop. Each loop has one, which is created and used on the loop's thread only
/// and must not block. The loop never calls it from within one of its own calls into the loop.
package protocol RequestHandler: AnyObject {
    /// Returns the client in whose turn a request is served, as far as it is known without reading a database. Returns
    /// `nil` if such a request never waits for a turn, as for a probe.
    func subject(of request: borrowing Request) -> SchedulingSubject?
    /// Handles a complete request. All jobs in the loop's inbox have been run before.
    func handle(_ request: borrowing Request, _ response: inout ResponseWriter) -> HandlerResult
    /// Records the end of a request, once for each, including requests that no handler saw. It may be called from
    /// within the handler's own calls into the loop, so it must not call the loop.
    func ended(_ end: RequestEnd)
    /// Notifies that the stream has sent all its bytes, first its head and later its kept frames, and accepts frames.
    func streamWritable(_ id: ConnectionID)
    /// Notifies that a stream had no frame for `HTTPLimits.streamIdleSeconds`, for a heartbeat.
    func streamIdle(_ id: ConnectionID)
    /// Notifies that the client of a deferred response sends no more. Most such clients have left; one that closed only
    /// its sending side still gets the response.
    func clientDone(_ id: ConnectionID)
    /// Notifies that a stream closed without `EventLoop.end`, or that a deferred response can no longer be delivered.
    /// Called once.
    func connectionClosed(_ id: ConnectionID)
    /// Runs about once a second. `now` is in monotonic milliseconds.
    func tick(now: Int64)
    /// Ends the streams and completes the deferred responses, because the server stops.
    func draining()
}

extension RequestHandler {
    /// Returns the peer's address as the client in whose turn a request is served.
    package func subject(of request: borrowing Request) -> SchedulingSubject? { SchedulingSubject(request.transport) }
    /// Does nothing, for handlers that finish deferred work in any case.
    package func clientDone(_ id: ConnectionID) {}
    /// Does nothing, for handlers that keep no record.
    package func ended(_ end: RequestEnd) {}
    /// Does nothing, for handlers without streams.
    package func streamWritable(_ id: ConnectionID) {}
    /// Does nothing, for handlers without streams.
    package func streamIdle(_ id: ConnectionID) {}
    /// Does nothing, for handlers without streams and deferred responses.
    package func connectionClosed(_ id: ConnectionID) {}
    package func tick(now: Int64) {}
    package func draining() {}
}
