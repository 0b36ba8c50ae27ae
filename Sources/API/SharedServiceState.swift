import HTTPServer
import JSON
import Model
import Store
import Synchronization

/// The state that all event loops share.
final class SharedServiceState: Sendable {
    let store: Store
    let log: ServerLog
    let leases: StreamLeases
    let owners = SubscriptionNumberGenerator()
    let watches: StreamRegistry
    let presence: PresenceTracker
    /// The trusted proxies, whose fields name the client's address.
    let forwarding: ForwardedClientAddress
    let accounts: AccountService
    /// The covers of books, or `nil` if none are fetched.
    let covers: CoverLoader?
    /// The rate limits, which can change while the service runs.
    let rates: RateLimits
    let callerLimitTable = CallerTokenBucketTable()
    let addresses = AddressTokenBuckets()
    /// The maximum number of waiting writes of one reader on one event loop.
    let writesPerReaderMax: Int
    let loopCounters: [EventLoopCounters]
    let limitsHit = LimitCounters()
    /// A Boolean value indicating whether the service is stopping.
    let isDraining = Atomic(false)
    let readinessBounds: Readiness.Bounds
    /// The reasons for not being ready that were logged last.
    private let loggedReasons = Mutex<[String]>([])
    /// The time at which the service started.
    let began = Instant.now

    init(
        store: Store, log: ServerLog, loops: Int, watches: StreamRegistry, leases: StreamLeases,
        writesPerReaderMax: Int,
        presence: PresenceTracker? = nil, forwarding: ForwardedClientAddress = .none,
        accounts: AccountService = AccountService(),
        covers: CoverLoader? = nil,
        rates: RateLimits.Rates = RateLimits.Rates(), readiness: Readiness.Bounds = Readiness.Bounds()
    ) {
        self.accounts = accounts
        self.covers = covers
        self.rates = RateLimits(rates)
        self.forwarding = forwarding
        readinessBounds = readiness
        self.presence = presence ?? PresenceTracker(loops: loops)
        self.leases = leases
        self.watches = watches
        self.writesPerReaderMax = writesPerReaderMax
        self.store = store
        self.log = log
        loopCounters = (0..<loops).map { _ in EventLoopCounters() }
    }

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

    /// Creates a token for the first administrator, and waits until it is on disk.
    func issueAdministratorToken(
        name: String, _ secret: TokenSecret = TokenSecret()
    ) throws(RequestError) -> String {
        try asAdministrator { _ in .createToken(TokenDraft(name: name), secret.digest) }
        return secret.text
    }

    /// Creates a link by which the first administrator chooses a name and a password, and waits until it is on disk.
    func issueAdministratorLink() throws(RequestError) -> String {
        let secret = TokenSecret(prefix: "\(OneTimeLinkPurpose.reset.rawValue)_")
        try asAdministrator { viewer in
            let draft = OneTimeLinkDraft(.reset, of: viewer.reader, now: .now)
            return .createLink(draft, accounts.settings.registrationPolicy, secret.digest)
        }
        return accounts.url(ofLink: secret.text)
    }

    /// Runs a command on behalf of the first administrator, and waits until it is on disk.
    private func asAdministrator(_ command: (Viewer) -> Command) throws(RequestError) {
        let viewer: Viewer?
        do {
            viewer = try store.makeReadConnection().localAdministrator()
        } catch let error as RequestError {
            throw error
        } catch {
            throw .internalError("\(error)")
        }
        guard let viewer else { throw .internalError("there is no administrator") }
        let done = Semaphore()
        let failure = Mutex<RequestError?>(nil)
        try store.enqueue(
            SubmittedCommand(command: command(viewer), actor: CommandActor(viewer)) { result in
                if case .failure(let error) = result { failure.withLock { $0 = error } }
                done.open()
            })
        done.wait()
        if let error = failure.withLock({ $0 }) { throw error }
    }
}
