package import HTTPServer
package import Model
import ObservableModels
import Outbound
import Passwords
package import Store
import Synchronization

/// The whole service: the store, the event loops over it, and the way of a commit to all of them.
package final class Service: Sendable {
    /// What can be set.
    package struct Configuration: Sendable {
        /// Where the database lives.
        package var directory: String
        /// Whether the directory and the database are made where they are missing.
        package var creates = true
        /// Event loops; 0 for one per core.
        package var loops = 0
        /// The server's limits.
        package var limits = HTTPLimits()
        /// The store's settings.
        package var store = StoreConfiguration()
        /// Streams and waiting polls that one token may have open; 0 for half of the connections.
        package var watchesPerTokenMax = 0
        /// Streams and waiting polls that one reader may have open, with all tokens; 0 for half of the connections.
        package var watchesPerReaderMax = 0
        /// Seconds for which somebody is there after the last sign of it.
        package var presenceSeconds: Int64 = 60
        /// Bytes of representations that each loop may hold.
        package var modelCacheBytesMax = 16 << 20
        /// Whose pages may read the answers, besides the service's own.
        package var origins: [Origin] = []
        /// Which proxies bring requests, and in which field they say whose.
        package var forwarding = Forwarding.none
        /// How readers come in.
        package var accounts = AccountSettings()
        /// The fetched covers that are kept on disk, in mebibytes; 0 if none are fetched.
        package var coverMebibytesMax = 256
        /// Whether covers may be fetched from this machine's own addresses, for tests.
        package var coversFromLoopback = false
        /// How often who may ask.
        package var rates = RateLimits.Rates()
        /// How much is logged.
        package var logLevel = Log.Level.info
        /// Whether requests are, at the level `info`.
        package var logsRequests = false
        /// How lines are written.
        package var logFormat = LogFormat.text
        /// Where to: standard error.
        package var logDescriptor: Int32 = 2
        /// Where anyone may ask for the metrics and how the service is, and for nothing else, on a thread of its own.
        package var metricsAddress: (host: String, port: UInt16)?
        /// From when on it is not ready to be asked.
        package var readiness = Readiness.Bounds()

        /// The defaults for a directory.
        package init(directory: String) { self.directory = directory }
    }

    /// The log; anything may write to it.
    package let log: Log
    /// Whether the database was made just now.
    package var isNew: Bool { state.store.isNew }
    /// Whether nobody had a token yet, and nothing has happened: the first start may have ended before.
    package var isUntouched: Bool { state.store.isUntouched }
    private let state: ServiceState
    private let server: HTTPServer
    private let handlers: Handlers
    private let metricsAddress: (host: String, port: UInt16)?
    private let metrics = Mutex<(server: HTTPServer, port: UInt16)?>(nil)
    private let origins: Mutex<Origins?>

    /// Opens the store and makes the loops; nothing is served before `start`.
    package init(_ configuration: Configuration) throws(StoreError) {
        let loops = configuration.loops > 0 ? configuration.loops : HTTPServer.coreCount
        metricsAddress = configuration.metricsAddress
        let log = Log(
            level: configuration.logLevel, saysRequests: configuration.logsRequests, format: configuration.logFormat,
            loops: loops, descriptor: configuration.logDescriptor)
        self.log = log
        let store = try Store.open(
            directory: configuration.directory, configuration: configuration.store,
            creates: configuration.creates,
            fail: { reason in
                log.close()
                Store.exit(reason)
            },
            say: { notice in
                switch notice {
                case .info(let text): log.info(text)
                case .fault(let text): log.error(text)
                }
            })
        if let reason = store.epochReason {
            log.info("new epoch: \(reason). Clients that watch must reload")
        }
        if store.checkup.state != .ok {
            log.info("the last shutdown was not clean: checking the database in the background")
        }
        try store.ensureAdministrator()
        var limits = configuration.limits
        limits.reservedPath = "/healthz"
        limits = HTTPServer.fit(limits, loops: loops)
        let share = max(1, limits.connectionsMax / 2)
        let state = ServiceState(
            store: store, log: log, loops: loops,
            watches: Watches(
                perTokenMax: configuration.watchesPerTokenMax > 0 ? configuration.watchesPerTokenMax : share,
                perReaderMax: configuration.watchesPerReaderMax > 0 ? configuration.watchesPerReaderMax : share),
            leases: try Service.leases(in: store), writesPerReaderMax: max(1, configuration.store.queueMax / 2 / loops),
            presence: Presence(loops: loops, leaseMilliseconds: configuration.presenceSeconds * 1000),
            forwarding: configuration.forwarding, accounts: Accounts(configuration.accounts),
            covers: Service.covers(configuration),
            rates: configuration.rates,
            readiness: configuration.readiness)
        self.state = state
        let handlers = Handlers()
        self.handlers = handlers
        let cacheBytesMax = configuration.modelCacheBytesMax
        let origins = Origins(configuration.origins, exposed: CrossOrigin.exposed.joined(separator: ", "))
        self.origins = Mutex(origins)
        server = HTTPServer(limits: limits, loops: loops, origins: origins) { loop in
            let handler = APIHandler.make(state, loop, cacheBytesMax: cacheBytesMax)
            handlers.add(handler)
            handler.begin()
            return handler
        }
        store.onCommit { commit in handlers.hear(commit) }
    }

    private static func covers(_ configuration: Configuration) -> CoverLoader? {
        guard configuration.coverMebibytesMax > 0 else { return nil }
        let settings = CoverLoader.Settings(
            directory: configuration.directory + "/covers", bytesMax: configuration.coverMebibytesMax << 20,
            allowsLoopback: configuration.coversFromLoopback)
        do throws(HTTPClientError) { return try CoverLoader(settings) } catch {
            Store.exit("cannot fetch covers: \(error)")
        }
    }

    private static func leases(in store: Store) throws(StoreError) -> Leases {
        let reads = try store.makeReadConnection()
        do throws(LecternError) { return Leases(try reads.leases()) } catch {
            Store.exit("cannot read the stored streams: \(error)")
        }
    }

    /// Listens on a TCP address; returns the port, which the system chooses when it is 0.
    @discardableResult
    package func listen(tcp host: String, port: UInt16) throws(HTTPServerError) -> UInt16 {
        let bound = try server.listen(tcp: host, port: port)
        state.accounts.noteListening(at: host, port: bound)
        return bound
    }

    /// Listens on a socket that only this user may open; who comes in by it is the first administrator.
    package func listen(unix path: String) throws(HTTPServerError) { try server.listen(unix: path) }

    /// Begins to serve.
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

    /// Where metrics are told to anyone; nil before `start`, and where that is not wanted.
    package var metricsPort: UInt16? { metrics.withLock { $0?.port } }

    /// What can be set anew while it runs.
    package struct Reloadable: Sendable {
        package var logLevel: Log.Level
        package var logsRequests: Bool
        package var origins: [Origin]
        package var rates: RateLimits.Rates

        package init(
            logLevel: Log.Level, logsRequests: Bool, origins: [Origin], rates: RateLimits.Rates
        ) {
            (self.logLevel, self.logsRequests, self.origins, self.rates) = (logLevel, logsRequests, origins, rates)
        }
    }

    /// Holds from soon on. Any thread.
    package func reload(_ settings: Reloadable) {
        log.level = settings.logLevel
        log.saysRequests = settings.logsRequests
        state.rates.set(settings.rates)
        let exposed = CrossOrigin.exposed.joined(separator: ", ")
        origins.withLock { origins in
            origins = Origins(settings.origins, exposed: exposed, inPlaceOf: origins)
            server.set(origins: origins)
        }
    }

    /// Makes a token for the first administrator and returns its text, which is kept nowhere.
    package func issueAdministratorToken(name: String) throws(LecternError) -> String {
        try state.issueAdministratorToken(name: name)
    }

    /// Makes the link by which the first administrator chooses a name and a password, and returns its URL, which is kept nowhere.
    package func issueAdministratorLink() throws(LecternError) -> String { try state.issueAdministratorLink() }

    /// The URL of the service for browsers, without a path.
    package var url: String { state.accounts.url }

    /// How browsers sign in.
    package var browserSignIn: BrowserSignIn { state.accounts.browserSignIn }

    /// What a token that an operator chose has.
    package static let tokenRule =
        "\(TokenSecret.lengthMin) to \(TokenSecret.lengthMax) letters, digits and -._~+/= of ASCII"

    /// Whether a text may be a token that an operator chose.
    package static func mayBeToken(_ text: String) -> Bool { TokenSecret(chosen: text) != nil }

    /// Makes a token for the first administrator whose text is this.
    package func issueAdministratorToken(name: String, text: String) throws(LecternError) {
        guard let secret = TokenSecret(chosen: text) else { throw .internalError("no token has \(Self.tokenRule)") }
        _ = try state.issueAdministratorToken(name: name, secret)
    }

    /// Stops: accepts no more, finishes requests, ends the streams, and cuts what is left after some seconds. Returns at once.
    package func drain(deadlineSeconds: Int) {
        state.isDraining.store(true, ordering: .relaxed)
        server.drain(deadlineSeconds: deadlineSeconds)
        metrics.withLock { $0 }?.server.drain(deadlineSeconds: 0)
    }

    /// Waits until all is served, then closes the store.
    package func wait() {
        server.wait()
        state.accounts.passwords.stop()
        metrics.withLock { $0 }?.server.wait()
        handlers.forget()
        state.store.close()
        log.close()
    }
}
