import HTTPServer
import Model
import ObservableModels
import Store

/// The request pipeline: it finds the route, authenticates the caller, calls the route's handler, and writes its reply.
/// The pipeline needs no event loop: responses that wait for the writer or for events are returned to the caller.
/// Confined to one thread.
final class RequestPipeline {
    let service: SharedServiceState
    let reads: ReadConnection
    let models: ObservableModels
    let authenticator: Authenticator
    /// The rate limits, which can change while the service runs.
    var rates: RateLimits
    /// The rate limits of the current caller, or `nil` if the caller is exempt.
    var callerLimits: CallerTokenBuckets?
    /// Pages that are the same for everyone.
    var pages = ListPageCache()
    /// The part of runs' paces that is the same for every member.
    var aims = RunAimsCache()
    /// Refreshes this thread's gauges for `/metrics`.
    var updateGauges: () -> Void = {}
    /// The time for which the URLs of a stream begin before others have their turn.
    var turnMax = Duration.milliseconds(1)
    /// The clock by which views find the current day.
    var clock: () -> Instant = { .now }

    init(_ service: SharedServiceState, _ reads: ReadConnection, _ models: ObservableModels) {
        self.service = service
        self.reads = reads
        self.models = models
        rates = service.rates
        authenticator = Authenticator(reads: reads, service.accounts, service.callerLimitTable)
    }

    var epoch: LogEpoch { service.store.epoch }

    /// Removes cached state that a commit has changed.
    func receive(_ commit: Commit) {
        authenticator.receive(commit)
        service.presence.receive(commit)
        aims.receive(commit)
        if commit.changes.contains(where: { $0.scope == .everyone }) { pages.forget() }
    }

    /// Responds to a request, or throws the error to respond with.
    func answer(
        _ request: borrowing Request, _ response: inout ResponseWriter
    ) throws(RequestError) -> DeferredResponse {
        callerLimits = nil
        // TRACE is a known method, but no path allows it, because its response would return the token.
        if request.method == .other, text(of: request.methodText) != "TRACE" {
            try spend(ofStray: request, &response)
            throw .refused(
                .methodUnknown, "The known methods are GET, HEAD, POST, PUT, PATCH, DELETE and OPTIONS.")
        }
        switch Route.router.lookup(path: request.path, method: request.method) {
        case .found(let number, let captures):
            response.trace.route = Int32(truncatingIfNeeded: number)
            return try answer(request, by: Route.all[number], captures, &response)
        case .methodNotAllowed(let allow):
            try spend(ofStray: request, &response)
            try allowed(allow, request, &response)
        case .notFound where request.method == .options && text(of: request.target) == "*":
            try allowed(Array("GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS".utf8), request, &response)
        case .notFound:
            try spend(ofStray: request, &response)
            guard let page = EmbeddedPages.response(to: request) else { throw .noSuchRoute }
            page.write(request, to: &response)
        }
        return .nothing
    }

    private func answer(
        _ request: borrowing Request, by route: Route, _ captures: RouteCaptures, _ response: inout ResponseWriter
    ) throws(RequestError) -> DeferredResponse {
        let now = Instant.now
        let isWatched = route.isWatchable && MediaType.isNamed("text/event-stream", request)
        let viewer = try admit(request, to: route, isWatched: isWatched, now: now, &response)
        if route.sharesPages, !isWatched,
            let page = pages.page(for: request.target, logStart: service.store.counters[.firstChange])
        {
            try requireJSON(request)
            page.write(request, to: &response)
            return .nothing
        }
        // An unknown parameter must not be ignored: a request with `?dryRun=true` would write.
        let query = try RequestQuery(request, known: route.parameters, ignoresOthers: route.ignoresOthers)
        if isWatched {
            let url = text(of: request.target)
            return .stream(stream(of: url, after: try cursor(query, request), viewer, on: request.connection))
        }
        let call = RouteCall(copy request, captures, query, viewer, now: now, isWatched: false, self)
        let reply = try route.answer(call)
        try spend(for: reply, &response)
        switch reply {
        case .list(let watch, let page):
            if let kind = watch.kind { _ = try query.fields(of: kind) }
            let isShared = route.sharesPages && watch.filter == .all
            try write(page, query, request, sharing: isShared, &response)
        case .document(let document): document.write(request, to: &response)
        case .deferred(let deferred): return deferred
        case .commit(let command, let location, let secret, let cookie):
            let precondition = Precondition(request, epoch: epoch)
            return .commit(
                PendingWrite(
                    command: command, actor: CommandActor(viewer, at: now, precondition: precondition),
                    idempotency: try IdempotencyKey(request, viewer),
                    context: ResponseContext(request, location, secret, cookie: cookie)))
        }
        return .nothing
    }

    /// Returns the viewer on whose behalf a request acts, after counting the request against the rate limits.
    @inline(__always)
    private func admit(
        _ request: borrowing Request, to route: Route, isWatched: Bool, now: Instant, _ response: inout ResponseWriter
    ) throws(RequestError) -> Viewer {
        guard route.admission != .anyone else {
            if !route.isProbe { try spend(ofAddress: request, &response) }
            return .nobody
        }
        let caller: Authenticator.Caller
        do throws(RequestError) {
            caller = try authenticator.caller(request, now: now, &response.trace)
        } catch {
            try spend(ofAddress: request, &response)
            throw error
        }
        let viewer = caller.viewer
        response.trace.subject = (viewer.reader.high, viewer.reader.low)
        callerLimits = caller.callerLimits
        if let callerLimits { try spend(isWatched ? Self.streamWeight : 1, of: callerLimits, &response) }
        try demand(route, of: viewer, request)
        return viewer
    }

    /// Throws if a viewer may not use a route.
    func demand(_ route: Route, of viewer: Viewer, _ request: borrowing Request) throws(RequestError) {
        if route.admission == .administrators { try viewer.demandAdministrator() }
        if let command = route.localCommand { try request.demandLocal("\(command)") }
        if route.access == .write { try viewer.demandWriting() }
    }

    /// Returns the viewer on whose behalf a stream is opened, or `nil` if its token has ended.
    func holder(of stream: NamedStream, now: Instant) throws(RequestError) -> Viewer? {
        guard let token = stream.token else { return try reads.localAdministrator() }
        guard let viewer = try reads.viewer(token: token), !viewer.isSuspended,
            viewer.endsAt.map({ $0 > now }) ?? true
        else {
            return nil
        }
        return viewer
    }
}
