package import HTTPServer
package import Model
import ObservableModels
import Passwords
package import Store
import Synchronization

/// The whole service: the store, the event loops, and the delivery of commits to all of them.
package final class Service: Sendable {
    /// The service's settings.
    package struct Configuration: Sendable {
        /// The directory of the database.
        package var directory: String
        /// A Boolean value indicating whether a missing directory or database is created.
        package var creates = true
        /// The number of event loops; 0 means one per core.
        package var loops = 0
        package var limits = HTTPLimits()
        package var store = StoreConfiguration()
        /// The maximum number of open streams and waiting polls of one token; 0 means half of the connections.
        package var openStreamsPerTokenMax = 0
        /// The maximum number of open streams and waiting polls of one reader, with all tokens; 0 means half of the
        /// connections.
        package var openStreamsPerReaderMax = 0
        /// The number of seconds for which a reader counts as present after the last sign of presence.
        package var presenceSeconds: Int64 = 60
        /// The maximum number of bytes of representations that each loop holds.
        package var modelCacheBytesMax = 16 << 20
        /// The origins whose pages may read responses, besides the service's own.
        package var origins: [WebOrigin] = []
        /// The trusted proxies, and the field in which they send the client's address.
        package var forwarding = ForwardedClientAddress.none
        /// The settings for registration and sign-in.
        package var accounts = AccountSettings()
        /// The maximum size of the fetched covers on disk, in mebibytes; 0 disables fetching.
        package var coverMebibytesMax = 256
        /// A Boolean value indicating whether covers may be fetched from this machine's own addresses.
        package var coversFromLoopback = false
        /// The maximum duration of a cover's fetch, in seconds.
        package var coverSecondsMax = 10
        /// The rate limits.
        package var rates = RateLimits()
        /// The lowest level that is logged.
        package var logLevel = ServerLogLevel.info
        /// A Boolean value indicating whether requests are logged, at the level `info`.
        package var logsRequests = false
        /// The format of log lines.
        package var logFormat = ServerLogFormat.text
        /// The descriptor that the log is written to; 2 is standard error.
        package var logDescriptor: Int32 = 2
        /// The address of a separate server that serves only metrics and health, to anyone, on a thread of its own.
        package var metricsAddress: (host: String, port: UInt16)?
        /// The bounds beyond which the service is not ready.
        package var readiness = Readiness.Bounds()

        /// Creates the defaults for a directory.
        package init(directory: String) { self.directory = directory }
    }

    /// The log. Any thread may write to it.
    package let log: ServerLog
    /// A Boolean value indicating whether this start created the database.
    package var isNew: Bool { state.store.isNew }
    /// A Boolean value indicating whether there is no token and no change yet. An earlier first start may have been
    /// interrupted.
    package var isUntouched: Bool { state.store.isUntouched }
    private let state: SharedServiceState
    private let server: HTTPServer
    private let handlers: EventLoopHandlers
    private let metricsAddress: (host: String, port: UInt16)?
    private let metrics = Mutex<(server: HTTPServer, port: UInt16)?>(nil)

    /// Opens the store and creates the loops. Nothing is served before `start`.
    package init(_ configuration: Configuration) throws(StoreError) {
        let loops = configuration.loops > 0 ? configuration.loops : HTTPServer.coreCount
        metricsAddress = configuration.metricsAddress
        let log = ServerLog(
            level: configuration.logLevel, saysRequests: configuration.logsRequests, format: configuration.logFormat,
            descriptor: configuration.logDescriptor)
        self.log = log
        let handlers = EventLoopHandlers()
        self.handlers = handlers
        let store = try Store.open(
            directory: configuration.directory, configuration: configuration.store, creates: configuration.creates,
            fail: { reason in
                log.close()
                Store.exit(reason)
            },
            report: { notice in
                switch notice {
                case .info(let text): log.info(text)
                case .fault(let text): log.error(text)
                }
            },
            receive: { commit in handlers.receive(commit) })
        if let reason = store.epochReason {
            log.info("new epoch: \(reason). Clients that watch must reload")
        }
        if store.crashCheck.state != .ok {
            log.info("the last shutdown was not clean: checking the database in the background")
        }
        try store.ensureAdministrator()
        var configuration = configuration
        configuration.limits.reservedPath = "/healthz"
        configuration.limits = HTTPServer.fit(configuration.limits, loops: loops)
        let state = SharedServiceState(store, log, configuration, loops: loops)
        self.state = state
        let cacheBytesMax = configuration.modelCacheBytesMax
        let origins = CrossOriginRules.allowed(configuration.origins)
        server = HTTPServer(limits: configuration.limits, loops: loops, origins: origins) { loop in
            let handler = APIHandler.make(state, loop, cacheBytesMax: cacheBytesMax)
            handlers.add(handler)
            handler.begin()
            return handler
        }
    }

    /// Listens on a TCP address, and returns the port. The system chooses the port if it is 0.
    @discardableResult
    package func listen(tcp host: String, port: UInt16) throws(HTTPServerError) -> UInt16 {
        let bound = try server.listen(tcp: host, port: port)
        state.accounts.recordListening(at: host, port: bound)
        return bound
    }

    /// Listens on a socket that only this user may open. Its clients act as the first administrator.
    package func listen(unix path: String) throws(HTTPServerError) { try server.listen(unix: path) }

    /// Starts to serve requests.
    package func start() throws(HTTPServerError) {
        log.start()
        try server.start()
        guard let (host, port) = metricsAddress else { return }
        let collecting = MetricsHandler.server(of: state)
        let bound = try collecting.listen(tcp: host, port: port)
        try collecting.start()
        metrics.withLock { $0 = (collecting, bound) }
    }

    /// The host of `metricsPort`.
    package var metricsHost: String? { metricsAddress?.host }

    /// The port of the metrics server, or `nil` before `start` and if there is none.
    package var metricsPort: UInt16? { metrics.withLock { $0?.port } }

    /// Applies the settings that can change while the service runs: the level and requests of the log, the origins and
    /// the rate limits. It may take effect after the call. Any thread.
    package func reload(_ configuration: Configuration) {
        log.level = configuration.logLevel
        log.saysRequests = configuration.logsRequests
        handlers.set(configuration.rates)
        server.set(origins: CrossOriginRules.allowed(configuration.origins))
    }

    /// Creates a token for the first administrator, with the given text or a new one. Returns its text, which is stored
    /// nowhere.
    package func issueAdministratorToken(name: String, text: String? = nil) throws(RequestError) -> String {
        try state.issueAdministratorToken(name: name, text: text)
    }

    /// Creates the link by which the first administrator chooses a name and a password, and returns its URL, which is
    /// stored nowhere.
    package func issueAdministratorLink() throws(RequestError) -> String { try state.issueAdministratorLink() }

    /// The URL of the service for browsers, without a path.
    package var url: String { state.accounts.url }

    /// The way in which browsers sign in.
    package var browserSignIn: BrowserSignIn { state.accounts.browserSignIn }

    /// A description of valid tokens that an operator chooses.
    package static let tokenRule =
        "\(TokenSecret.lengthMin) to \(TokenSecret.lengthMax) letters, digits and -._~+/= of ASCII"

    /// Returns whether a text is a valid token for an operator to choose.
    package static func mayBeToken(_ text: String) -> Bool { TokenSecret(chosen: text) != nil }

    /// Stops the service: accepts no more connections, finishes requests, ends streams, and closes remaining
    /// connections at the deadline. Returns at once.
    package func drain(deadlineSeconds: Int) {
        state.isDraining.store(true, ordering: .relaxed)
        server.drain(deadlineSeconds: deadlineSeconds)
        metrics.withLock { $0 }?.server.drain(deadlineSeconds: 0)
    }

    /// Waits until all requests are finished, then closes the store.
    package func wait() {
        server.wait()
        state.accounts.passwords.stop()
        metrics.withLock { $0 }?.server.wait()
        handlers.forget()
        state.store.close()
        log.close()
    }
}
