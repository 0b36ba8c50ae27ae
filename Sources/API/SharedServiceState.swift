import HTTPServer
import JSON
import Model
import Outbound
import Scheduling
import Store
import Synchronization

/// The state that all event loops share.
final class SharedServiceState: Sendable {
    let store: Store
    let log: ServerLog
    let leases: StreamLeases
    let watches: StreamRegistry
    let presence: PresenceTracker
    /// The trusted proxies, whose fields name the client's address.
    let forwarding: ForwardedClientAddress
    let accounts: AccountService
    /// The covers of books, or `nil` if none are fetched.
    let covers: CoverLoader?
    /// The rate limits at the start. Those that apply now are in `RequestPipeline`.
    let rates: RateLimits
    let callerLimitTable = CallerTokenBucketTable()
    /// The requests of client addresses without valid credentials.
    let addresses = RateLimiter()
    /// The maximum number of waiting writes of one reader on one event loop.
    let writesPerReaderMax: Int
    let loopCounters: [EventLoopCounters]
    /// The number of refusals by each limit, by the limits' names, which never come from a client.
    let limitsHit = Mutex<[String: Int]>([:])
    /// A Boolean value indicating whether the service is stopping.
    let isDraining = Atomic(false)
    let readinessBounds: Readiness.Bounds
    /// The reasons for not being ready that were logged last.
    private let loggedReasons = Mutex<[String]>([])
    /// The time at which the service started.
    let began = Instant.now

    init(_ store: Store, _ log: ServerLog, _ configuration: Service.Configuration, loops: Int) {
        (self.store, self.log) = (store, log)
        let share = max(1, configuration.limits.connectionsMax / 2)
        let (ofToken, ofReader) = (configuration.openStreamsPerTokenMax, configuration.openStreamsPerReaderMax)
        watches = StreamRegistry(
            perTokenMax: ofToken > 0 ? ofToken : share, perReaderMax: ofReader > 0 ? ofReader : share)
        leases = Store.orExit("cannot read the stored streams") {
            StreamLeases(try store.makeReadConnection().leases())
        }
        writesPerReaderMax = max(1, configuration.store.queueMax / 2 / loops)
        presence = PresenceTracker(loops: loops, leaseMilliseconds: configuration.presenceSeconds * 1000)
        forwarding = configuration.forwarding
        accounts = AccountService(configuration.accounts)
        covers = Self.covers(configuration)
        rates = configuration.rates
        readinessBounds = configuration.readiness
        loopCounters = (0..<loops).map { _ in EventLoopCounters() }
    }

    private static func covers(_ configuration: Service.Configuration) -> CoverLoader? {
        guard configuration.coverMebibytesMax > 0 else { return nil }
        return Store.orExit("cannot fetch covers") {
            try CoverLoader(
                directory: configuration.directory + "/covers", bytesMax: configuration.coverMebibytesMax << 20,
                allowsLoopback: configuration.coversFromLoopback, fetchSecondsMax: configuration.coverSecondsMax)
        }
    }

    /// Counts a refusal by a limit.
    func count(limit name: String) { limitsHit.withLock { $0[name, default: 0] += 1 } }

    /// Logs why the service is not ready, or that it is ready again, if this differs from the last log line.
    func logReadiness(_ readiness: Readiness) {
        let names = readiness.reasons.map { "\($0.name)" }
        let isNew = loggedReasons.withLock { logged in
            defer { logged = names }
            return logged != names
        }
        guard isNew else { return }
        guard !readiness.isReady else { return log.info("ready again") }
        log.warning("not ready: " + readiness.reasons.map { "\($0.name): \($0.detail)" }.joined(separator: " "))
    }
}

extension Store {
    /// Returns a value without which the service cannot run. The process exits if it cannot be created.
    static func orExit<Value>(_ problem: String, _ create: () throws -> Value) -> Value {
        do { return try create() } catch { exit("\(problem): \(error)") }
    }
}
