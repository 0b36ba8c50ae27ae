internal import CLinux
internal import Glibc
internal import Measures
internal import Scheduling
internal import Synchronization

/// A server: event loops on their threads, and the sockets that they accept from. Call `listen`, then `start`; at the
/// end `drain` and `wait`.
package final class HTTPServer: Sendable {
    /// The event loops, in order of their index. They accept jobs at once, and run them after `start`.
    package let loops: [EventLoop]

    private let makeHandler: @Sendable (EventLoop) -> any RequestHandler
    private let threads = Mutex<[DedicatedThread]>([])

    /// Creates a server with `loops` event loops, at least one. Pages of `origins` may read its responses. `makeHandler`
    /// is called once per loop, on its thread.
    package init(
        limits: HTTPLimits = HTTPLimits(), loops: Int, origins: AllowedOrigins? = nil,
        makeHandler: @escaping @Sendable (EventLoop) -> any RequestHandler
    ) {
        let limits = Self.fit(limits, loops: loops)
        let load = ConnectionCount()
        self.loops = (0..<loops).map {
            EventLoop(index: $0, limits: limits, origins: origins, serverLoad: load)
        }
        self.makeHandler = makeHandler
        self.loops[0].state.pointee.siblings = self.loops.map { Unmanaged.passUnretained($0) }
    }

    /// Listens on a TCP address and returns the port (the one that the kernel chose if `port` is 0). Call it before
    /// `start`.
    @discardableResult
    package func listen(tcp host: String, port: UInt16) throws(HTTPServerError) -> UInt16 {
        let listener = try ListeningSocket.tcp(host, port)
        loops[0].add(listener)
        return listener.port
    }

    /// Listens on a Unix socket that only this user may open (mode 0600). Replaces a socket file without a listener.
    /// Call it before `start`.
    package func listen(unix path: String) throws(HTTPServerError) {
        loops[0].add(try ListeningSocket.unix(path))
    }

    /// Starts the loops' threads. Call it once.
    package func start() throws(HTTPServerError) {
        for loop in loops {
            // The loops refer to each other without ownership, so every thread keeps all of them alive.
            let thread = DedicatedThread("loop \(loop.index)") { [loops, makeHandler] in
                withExtendedLifetime(loops) { loop.run(makeHandler) }
            }
            // It fails only if the system has no resources for another thread.
            guard let thread else { throw .system(call: "pthread_create", code: EAGAIN) }
            threads.withLock { $0.append(thread) }
        }
    }

    /// Stops gracefully: accepts no more, finishes requests, lets the handlers end their streams, and closes the
    /// remaining connections after `deadlineSeconds`. Callable from any thread; returns at once.
    package func drain(deadlineSeconds: Int) {
        let deadline = MonotonicClock.now() + Int64(deadlineSeconds) * 1000
        for loop in loops { loop.execute { loop.drain(until: deadline) } }
    }

    /// Sets the origins whose pages may read responses; each loop applies it soon. Callable from any thread.
    package func set(origins: AllowedOrigins?) {
        for loop in loops { loop.execute { loop.state.pointee.origins = origins } }
    }

    /// Waits until all loops have ended. Do not call it from a loop's thread.
    package func wait() {
        let threads = threads.withLock { threads in
            defer { threads = [] }
            return threads
        }
        for thread in threads { thread.wait() }
    }

    /// The number of open connections on all loops. Readable from any thread.
    package var connectionCount: Int { loops[0].serverLoad.count }

    /// The number of cores that this process may use.
    package static var coreCount: Int { Int(clinux_core_count()) }

    /// Returns the limits with the connections reduced to what the descriptor limit allows.
    package static func fit(_ limits: HTTPLimits, loops: Int) -> HTTPLimits {
        var limits = limits
        // Every loop needs some descriptors of its own, and so does an application for its files.
        let others = 64 + 8 * loops + 2 * limits.reservedConnectionsMax
        limits.connectionsMax = min(limits.connectionsMax, max(16, raiseDescriptorLimit() - others))
        return limits
    }

    /// Raises the descriptor limit to the maximum without privileges, and returns it.
    private static func raiseDescriptorLimit() -> Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1024 }
        if limit.rlim_cur < limit.rlim_max {
            limit.rlim_cur = limit.rlim_max
            // The limit in force is read back in the next line, whatever the result.
            _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            _ = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        }
        return Int(min(limit.rlim_cur, 1 << 30))
    }
}
