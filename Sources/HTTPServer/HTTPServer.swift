/// A server: event loops on their threads, and the sockets that feed them.
public final class HTTPServer: Sendable {
    /// The event loops, in order of their index. They take jobs from now on, and run them after `start`.
    public let loops: [EventLoop]

    /// A server with `loops` event loops (by default one per core). `makeHandler` is called once per loop, on its thread.
    public init(
        limits: HTTPLimits = HTTPLimits(), loops: Int = 0,
        makeHandler: @escaping @Sendable (EventLoop) -> any RequestHandler
    ) {
        self.loops = []
    }

    /// Listens on a TCP address and returns the port (the one the kernel chose when `port` is 0). Before `start`.
    @discardableResult
    public func listen(tcp host: String, port: UInt16) throws(HTTPServerError) -> UInt16 { 0 }

    /// Listens on a Unix socket that only this user may open (mode 0600). A socket file that nobody listens on is replaced.
    public func listen(unix path: String) throws(HTTPServerError) {}

    /// Starts the threads.
    public func start() throws(HTTPServerError) {}

    /// Stops gracefully: accepts no more, finishes requests, lets the handlers end their streams, and cuts what is left
    /// after `deadlineSeconds`. Any thread; returns at once.
    public func drain(deadlineSeconds: Int) {}

    /// Waits until all loops have ended.
    public func wait() {}

    /// Connections open now, on all loops.
    public var connectionCount: Int { 0 }
}
