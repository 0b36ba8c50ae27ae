import HTTPServer
import Model
import ObservableModels
import Store

/// What answers requests on one event loop: its own database connection, its own models, its own streams.
///
/// Confined to the loop's thread. It is handed, as a reference only, into jobs that the loop itself runs later.
final class APIHandler: RequestHandler, @unchecked Sendable {
    let service: ServiceState
    let loop: EventLoop
    let reads: ReadConnection
    let models: ObservableModels
    let authenticator: Authenticator
    let counters: LoopCounters
    var streams: [ConnectionID: Stream] = [:]
    /// Where each subscription's frames go.
    var connections: [UInt64: ConnectionID] = [:]
    var waiters: [ConnectionID: Waiter] = [:]
    /// Streams that go on once what they go on with can be read.
    var stalled: Set<ConnectionID> = []
    /// How many writes of each reader wait for the writer.
    var waitingWrites: [Int64: Int] = [:]
    /// Pages of books.
    var pages = PageCache()

    private init(
        service: ServiceState, loop: EventLoop, reads: ReadConnection, models: ObservableModels, counters: LoopCounters
    ) {
        self.service = service
        self.loop = loop
        self.reads = reads
        self.models = models
        self.counters = counters
        authenticator = Authenticator(reads: reads)
        authenticator.onFirstUse = { [weak self] token, day in self?.noteUse(of: token, on: day) }
    }

    /// The handler of a loop; on the loop's thread. A process that cannot read its own database has nothing to serve.
    static func make(_ service: ServiceState, _ loop: EventLoop, cacheBytesMax: Int) -> APIHandler {
        do {
            let reads = try service.store.makeReadConnection()
            let models = ObservableModels(
                epoch: service.store.epoch, head: try reads.head(), cacheBytesMax: cacheBytesMax)
            let handler = APIHandler(
                service: service, loop: loop, reads: reads, models: models, counters: service.loopCounters[loop.index])
            models.deliver = { [unowned handler] in handler.deliver($0, $1, $2) }
            models.derive = { [unowned handler] change, reader throws(LecternError) in
                try handler.cards(from: change, of: reader)
            }
            models.expand = { change throws(LecternError) in try reads.unlocked(change) }
            models.told = { change, members throws(LecternError) in try reads.told(of: change, among: members) }
            models.report = { service.log.error("What a change is to its watchers could not be read: \($0)") }
            models.resume = { [unowned handler] in handler.resume($0) }
            models.end = { [unowned handler] in handler.ended($0) }
            return handler
        } catch {
            Store.exit("an event loop cannot read the database: \(error)")
        }
    }

    var epoch: Epoch { service.store.epoch }

    /// Takes in a commit; in the loop's inbox, before any request that came later.
    func hear(_ commit: Commit) {
        authenticator.hear(commit)
        for change in commit.changes where change.kind == .token && change.operation == .deleted {
            service.tickets.revoke(token: change.id)
            refuseWaiters(of: change.id)
        }
        if commit.changes.contains(where: { $0.scope == .everyone }) { pages.forget() }
        models.publish([commit])
    }

    /// Hears of every commit from now on, and knows how far the log was before.
    func begin() {
        do { models.begin(at: try reads.head()) } catch {
            Store.exit("an event loop cannot read the database: \(error)")
        }
    }

    /// A subscription has lost its right: its stream ends.
    private func ended(_ subscription: Subscription) {
        if let id = connections[subscription.owner] { close(id) }
    }

    func handle(_ request: borrowing Request, _ response: inout ResponseWriter) -> Disposition {
        counters.requests.add()
        // TRACE is known, but no path has it: it would send a token back.
        if request.method == .other, text(of: request.methodText) != "TRACE" {
            let known = "GET, HEAD, POST, PUT, PATCH, DELETE and OPTIONS"
            return refuse(.refused(.methodUnknown, "The methods known are \(known)."), &response)
        }
        switch Routes.router.lookup(path: request.path, method: request.method) {
        case .found(let route, let captures):
            do throws(LecternError) {
                return try handle(request, route, captures, &response)
            } catch {
                return refuse(error, &response)
            }
        case .methodNotAllowed(let allow):
            return allowed(allow, request, &response)
        case .notFound:
            if request.method == .options, text(of: request.target) == "*" {
                return allowed(Array("GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS".utf8), request, &response)
            }
            return refuse(
                .refused(.noSuchRoute, "There is no such path. /openapi.yaml lists all that there are."), &response)
        }
    }

    /// Answers with a problem; faults of ours are told to the log only.
    func refuse(_ error: LecternError, _ response: inout ResponseWriter) -> Disposition {
        if case .internalError(let what) = error { service.log.error(what) }
        Problem(error).write(to: &response, epoch: epoch)
        return .answered
    }

    /// A path that exists, asked with a method that it does not have.
    private func allowed(_ allow: [UInt8], _ request: borrowing Request, _ response: inout ResponseWriter)
        -> Disposition
    {
        if request.method == .options {
            response.status(204)
            response.field("Allow", allow)
            response.empty()
            return .answered
        }
        response.status(405)
        response.field("Allow", allow)
        let methods = String(decoding: allow, as: UTF8.self)
        response.body(
            Problem(.methodNotAllowed, "This takes \(methods).").encoded(), type: "application/problem+json")
        return .answered
    }

    /// Keeps the day on which a token was last used; nobody waits for it, and no event tells of it.
    private func noteUse(of token: ResourceID, on day: Int64) {
        _ = service.store.submit(Submission(command: TouchToken(id: token, day: day), idempotency: nil) { _ in })
    }
}
