public import HTTPServer
public import Model
import ObservableModels
public import Store

/// The whole service: the store, the event loops over it, and the way of a commit to all of them.
public final class Service: Sendable {
    /// What can be set.
    public struct Configuration: Sendable {
        /// Where the database lives.
        public var directory: String
        /// Whether the directory and the database are made where they are missing.
        public var creates = true
        /// Event loops; 0 for one per core.
        public var loops = 0
        /// The server's limits.
        public var limits = HTTPLimits()
        /// The store's settings.
        public var store = StoreConfiguration()
        /// Streams and waiting polls that one token may have open; 0 for half of the connections.
        public var watchesPerTokenMax = 0
        /// Streams and waiting polls that one reader may have open, with all tokens; 0 for half of the connections.
        public var watchesPerReaderMax = 0
        /// Bytes of representations that each loop may hold.
        public var modelCacheBytesMax = 16 << 20
        /// How much is logged.
        public var logLevel = Log.Level.info

        /// The defaults for a directory.
        public init(directory: String) { self.directory = directory }
    }

    /// The log; anything may write to it.
    public let log: Log
    /// Whether the database was made just now.
    public var isNew: Bool { state.store.isNew }
    private let state: ServiceState
    private let server: HTTPServer
    private let handlers: Handlers

    /// Opens the store and makes the loops; nothing is served before `start`.
    public init(_ configuration: Configuration) throws(StoreError) {
        log = Log(level: configuration.logLevel)
        let store = try Store.open(
            directory: configuration.directory, configuration: configuration.store,
            creates: configuration.creates)
        if let reason = store.epochReason {
            log.info("a new epoch, for \(reason): who watches begins anew")
        }
        if store.checkup.state != .ok { log.info("the last end was unclean: the database is checked meanwhile") }
        if let renewal = store.renewal { log.info(renewal) }
        try store.ensureAdministrator()
        let loops = configuration.loops > 0 ? configuration.loops : HTTPServer.coreCount
        var limits = configuration.limits
        limits.reservedPath = "/healthz"
        limits = HTTPServer.fit(limits, loops: loops)
        let share = max(1, limits.connectionsMax / 2)
        let state = ServiceState(
            store: store, log: log, loops: loops,
            watches: Watches(
                perTokenMax: configuration.watchesPerTokenMax > 0 ? configuration.watchesPerTokenMax : share,
                perReaderMax: configuration.watchesPerReaderMax > 0 ? configuration.watchesPerReaderMax : share),
            writesPerReaderMax: max(1, configuration.store.queueMax / 2 / loops))
        self.state = state
        let handlers = Handlers()
        self.handlers = handlers
        let cacheBytesMax = configuration.modelCacheBytesMax
        server = HTTPServer(limits: limits, loops: loops) { loop in
            let handler = APIHandler.make(state, loop, cacheBytesMax: cacheBytesMax)
            handlers.add(handler)
            handler.begin()
            return handler
        }
        store.onCommit { commit in handlers.hear(commit) }
    }

    /// Listens on a TCP address; returns the port, which the system chooses when it is 0.
    @discardableResult
    public func listen(tcp host: String, port: UInt16) throws(HTTPServerError) -> UInt16 {
        try server.listen(tcp: host, port: port)
    }

    /// Listens on a socket that only this user may open; who comes in by it is the first administrator.
    public func listen(unix path: String) throws(HTTPServerError) { try server.listen(unix: path) }

    /// Begins to serve.
    public func start() throws(HTTPServerError) { try server.start() }

    /// Makes a token for the first administrator and returns its text, which is kept nowhere.
    public func issueAdministratorToken(name: String) throws(LecternError) -> String {
        try state.issueAdministratorToken(name: name)
    }

    /// Stops: accepts no more, finishes requests, ends the streams, and cuts what is left after some seconds. Returns at once.
    public func drain(deadlineSeconds: Int) { server.drain(deadlineSeconds: deadlineSeconds) }

    /// Waits until all is served, then closes the store.
    public func wait() {
        server.wait()
        handlers.forget()
        state.store.close()
    }
}
