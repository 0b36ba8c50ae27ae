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

    private func handle(
        _ request: borrowing Request, _ route: Route, _ captures: Captures, _ response: inout ResponseWriter
    ) throws(LecternError) -> Disposition {
        if route == .getCalendar { return try getCalendar(captures, request, &response) }
        if route == .getProblem { return try getProblem(captures, request, &response) }
        if route.admission == .anyone { return try answer(open: route, request, &response) }
        let viewer = try viewer(of: request, for: route)
        // What a write does not know it must not pass over: `?dryRun=true` would write.
        let isWrite = request.method != .get && request.method != .head
        if isWrite, request.query.byteCount > 0 { _ = try Query(request, known: route.parametersOfWrite) }
        let id = try id(0, captures, request)
        switch route {
        case .root, .contract, .health, .getProblem, .getCalendar: return try answer(open: route, request, &response)
        case .metrics: return try getMetrics(request, &response)
        case .getMe: return try getReader(viewer.reader, request, viewer, &response)
        case .patchMe: return try patchReader(viewer.reader, request, viewer, &response)
        case .listReaders: return try listReaders(request, viewer, &response)
        case .createReader: return try createReader(request, viewer, &response)
        case .getReader: return try getReader(id, request, viewer, &response)
        case .patchReader: return try patchReader(id, request, viewer, &response)
        case .listTokens: return try listTokens(request, viewer, &response)
        case .createToken: return try createToken(request, viewer, &response)
        case .getToken: return try getToken(id, request, viewer, &response)
        case .deleteToken: return try deleteToken(id, request, viewer, &response)
        case .createTicket: return try createTicket(request, viewer, &response)
        case .listBooks: return try listBooks(request, viewer, &response)
        case .createBook: return try createBook(request, viewer, &response)
        case .getBook: return try getBook(id, request, viewer, &response)
        case .putBook: return try putBook(id, request, viewer, &response)
        case .patchBook: return try patchBook(id, request, viewer, &response)
        case .deleteBook: return try deleteBook(id, request, viewer, &response)
        case .listReadings: return try listReadings(request, viewer, &response)
        case .createReading: return try createReading(request, viewer, &response)
        case .getReading: return try getReading(id, request, viewer, &response)
        case .patchReading: return try patchReading(id, request, viewer, &response)
        case .deleteReading: return try deleteReading(id, request, viewer, &response)
        case .listEntries: return try listEntries(id, request, viewer, &response)
        case .createEntry: return try createEntry(id, request, viewer, &response)
        case .getEntry: return try getEntry(id, self.id(1, captures, request), request, viewer, &response)
        case .deleteEntry: return try deleteEntry(id, self.id(1, captures, request), request, viewer, &response)
        case .listCards: return try listCards(request, viewer, &response)
        case .getCard: return try getCard(id, request, viewer, &response)
        case .listChanges: return try listChanges(request, viewer, &response)
        case .listClubs: return try listClubs(request, viewer, &response)
        case .createClub: return try createClub(request, viewer, &response)
        case .getClub: return try getClub(id, request, viewer, &response)
        case .patchClub: return try patchClub(id, request, viewer, &response)
        case .deleteClub: return try deleteClub(id, request, viewer, &response)
        case .createMembership: return try createMembership(request, viewer, &response)
        case .listMembers: return try listMembers(id, request, viewer, &response)
        case .patchMember: return try patchMember(id, self.id(1, captures, request), request, viewer, &response)
        case .deleteMember: return try deleteMember(id, self.id(1, captures, request), request, viewer, &response)
        case .listInvitations: return try listInvitations(id, request, viewer, &response)
        case .createInvitation: return try createInvitation(id, request, viewer, &response)
        case .deleteInvitation:
            return try deleteInvitation(id, self.id(1, captures, request), request, viewer, &response)
        case .listRemovals: return try listRemovals(id, request, viewer, &response)
        case .deleteRemoval: return try deleteRemoval(id, self.id(1, captures, request), request, viewer, &response)
        case .listClubBooks: return try listClubBooks(id, request, viewer, &response)
        case .putClubBook: return try putClubBook(id, self.id(1, captures, request), request, viewer, &response)
        case .patchClubBook: return try patchClubBook(id, self.id(1, captures, request), request, viewer, &response)
        case .deleteClubBook: return try deleteClubBook(id, self.id(1, captures, request), request, viewer, &response)
        case .listMilestones: return try listMilestones(id, request, viewer, &response)
        case .createMilestone: return try createMilestone(id, request, viewer, &response)
        case .patchMilestone: return try patchMilestone(id, self.id(1, captures, request), request, viewer, &response)
        case .deleteMilestone: return try deleteMilestone(id, self.id(1, captures, request), request, viewer, &response)
        case .listStandings: return try listStandings(id, request, viewer, &response)
        case .createStanding: return try createStanding(id, request, viewer, &response)
        case .deleteStanding: return try deleteStanding(id, self.id(1, captures, request), request, viewer, &response)
        case .listMeetings: return try listMeetings(id, request, viewer, &response)
        case .createMeeting: return try createMeeting(id, request, viewer, &response)
        case .getMeeting: return try getMeeting(id, self.id(1, captures, request), request, viewer, &response)
        case .patchMeeting: return try patchMeeting(id, self.id(1, captures, request), request, viewer, &response)
        case .deleteMeeting: return try deleteMeeting(id, self.id(1, captures, request), request, viewer, &response)
        case .getMeetingNotes: return try getMeetingNotes(id, self.id(1, captures, request), request, viewer, &response)
        case .getNextMeetingNotes: return try getMeetingNotes(id, nil, request, viewer, &response)
        case .listAttendances: return try listAttendances(id, self.id(1, captures, request), request, viewer, &response)
        case .putAttendance: return try putAttendance(id, self.id(1, captures, request), request, viewer, &response)
        case .listCalendars: return try listCalendars(id, request, viewer, &response)
        case .createCalendar: return try createCalendar(id, request, viewer, &response)
        case .deleteCalendar: return try deleteCalendar(id, self.id(1, captures, request), request, viewer, &response)
        case .listReactions: return try listReactions(id, request, viewer, &response)
        case .putReaction: return try putReaction(id, captures, isThere: true, request, viewer, &response)
        case .deleteReaction: return try putReaction(id, captures, isThere: false, request, viewer, &response)
        case .listListings: return try listListings(request, viewer, &response)
        case .getListing: return try getListing(id, request, viewer, &response)
        case .createJoinRequest: return try createJoinRequest(id, request, viewer, &response)
        case .listOwnRequests: return try listOwnRequests(request, viewer, &response)
        case .deleteOwnRequest: return try deleteOwnRequest(id, request, viewer, &response)
        case .listJoinRequests: return try listJoinRequests(id, request, viewer, &response)
        case .patchJoinRequest:
            return try patchJoinRequest(id, self.id(1, captures, request), request, viewer, &response)
        case .listClubNotes: return try listClubNotes(id, request, viewer, &response)
        case .listNotes: return try listNotes(request, viewer, &response)
        case .createNote: return try createNote(request, viewer, &response)
        case .getNote: return try getNote(id, request, viewer, &response)
        case .patchNote: return try patchNote(id, request, viewer, &response)
        case .deleteNote: return try deleteNote(id, request, viewer, &response)
        case .createReply: return try createReply(id, request, viewer, &response)
        }
    }

    /// The viewer, when they may come in by the route with the request's method.
    private func viewer(of request: borrowing Request, for route: Route) throws(LecternError) -> Viewer {
        let holder = try ticketHolder(request, route)
        let viewer = if let holder { holder } else { try authenticator.viewer(request, now: .now) }
        if route.admission == .administrators, viewer.role != .administrator {
            throw .refused(.administratorsOnly, "Only an administrator may do this.")
        }
        let reads = request.method == .get || request.method == .head || route == .createTicket
        if viewer.access == .read, !reads {
            throw .refused(.readOnlyToken, "The token's scope is read; this needs a token with the scope write.")
        }
        return viewer
    }

    /// The id in a capture of the path; what is no UUID names nothing. Without a capture the result is not used.
    private func id(_ index: Int, _ captures: Captures, _ request: borrowing Request) throws(LecternError) -> ResourceID
    {
        guard index < captures.count else { return ResourceID(high: 0, low: 0) }
        guard let id = ResourceID(text: captures.bytes(index, in: request.path)) else { throw .notFound }
        return id
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
