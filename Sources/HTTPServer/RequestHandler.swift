package enum Disposition: Sendable {
    case answered
    /// The answer comes later, by `EventLoop.answer`; whatever was written is dropped. The connection waits.
    case deferred
    /// `ResponseWriter.stream` has written the head; frames follow by `EventLoop.send` after the first `streamWritable`.
    case stream
}

/// What an application is to an event loop. There is one per loop, made and used on the loop's thread only; nothing in it
/// may block. The loop never calls it from within one of its own calls into the loop.
package protocol RequestHandler: AnyObject {
    /// Returns the subject of a request, as far as that is known without reading anything but memory; nil when nobody may have to wait for
    /// such a request, as for a probe.
    func subject(of request: borrowing Request) -> Subject?
    /// Answers a complete request. All jobs that waited in the loop's inbox have been run before.
    func handle(_ request: borrowing Request, _ response: inout ResponseWriter) -> Disposition
    /// A request has ended; once for each, also for those that no handler saw. It may be called from within the handler's own calls
    /// into the loop: it counts and notes, and calls nothing.
    func ended(_ end: RequestEnd)
    /// The stream has sent all it was given: its head at first, and later what was kept. It takes frames now.
    func streamWritable(_ id: ConnectionID)
    /// Nothing was sent on the stream for `HTTPLimits.streamIdleSeconds`: the time for a heartbeat.
    func streamIdle(_ id: ConnectionID)
    /// The client of a deferred answer sends no more. Most have gone then; one that closed only its side still gets the answer.
    func clientDone(_ id: ConnectionID)
    /// A stream is gone (and was not ended by `EventLoop.end`), or a deferred answer can no longer be delivered. Called once.
    func connectionClosed(_ id: ConnectionID)
    /// About once a second. `now` is in monotonic milliseconds.
    func tick(now: Int64)
    /// The server stops: end the streams, answer what is deferred.
    func draining()
}

extension RequestHandler {
    /// Returns the client's address.
    package func subject(of request: borrowing Request) -> Subject? { Subject(request.transport) }
    /// Does nothing: for handlers whose answers are worth their work to nobody else.
    package func clientDone(_ id: ConnectionID) {}
    /// Does nothing: for handlers that keep no record.
    package func ended(_ end: RequestEnd) {}
    /// Does nothing: for handlers without streams.
    package func streamWritable(_ id: ConnectionID) {}
    /// Does nothing: for handlers without streams.
    package func streamIdle(_ id: ConnectionID) {}
    /// Does nothing: for handlers without streams and deferred answers.
    package func connectionClosed(_ id: ConnectionID) {}
    package func tick(now: Int64) {}
    package func draining() {}
}
