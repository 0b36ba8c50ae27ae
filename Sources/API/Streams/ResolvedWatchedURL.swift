import Bytes
import HTTPServer
import JSON
import Model
import ObservableModels
import Store

/// The resource or list that a URL names for a viewer.
struct ResolvedWatchedURL {
    let watch: WatchPlan
    let fields: FieldSet?
    /// Reads the current representation. Must be called within one database snapshot.
    let snapshot: () throws(RequestError) -> EncodedListPage
}

extension RequestPipeline {
    /// Resolves a URL as a request for it would. Throws the error that the request would get, or an error if the URL
    /// cannot be watched by a stream. The cursor of a URL with a name is given beside it, not in its query.
    func watched(
        _ url: String, by viewer: Viewer, isNamed: Bool = false
    ) throws(RequestError) -> ResolvedWatchedURL {
        let request = InternalRequest("GET", url, fields: [("Accept", "text/event-stream")])
        let nowhere = ConnectionID(loop: 0, slot: 0, generation: 0)
        let watched = try request.read(for: nowhere, .tcp(.unspecified)) { request throws(RequestError) in
            try self.watched(request, by: viewer, isNamed: isNamed)
        }
        guard let watched else {
            throw .refused(
                .malformedQuery, "\(url) is not a valid path. Give a path such as /v1/books?limit=20.")
        }
        return watched
    }

    private func watched(
        _ request: borrowing Request, by viewer: Viewer, isNamed: Bool
    ) throws(RequestError) -> ResolvedWatchedURL {
        guard case .found(let number, let captures) = Route.router.lookup(path: request.path, method: .get) else {
            throw .noSuchRoute
        }
        let route = Route.all[number]
        if case .no(let reason) = route.watching { throw .refused(.invalidParameter, "\(reason)") }
        if route.admission == .administrators { try viewer.demandAdministrator() }
        let query = try RequestQuery(request, known: route.parameters)
        if isNamed, query.has("after") { throw query.refusal("after", "is given beside the URL, as the member after") }
        let call = RouteCall(copy request, captures, query, viewer, now: .now, isWatched: true, self)
        guard case .list(let watch, let snapshot) = try route.answer(call) else {
            throw .refused(.invalidParameter, "This URL cannot be watched. Watch the URL of a resource or a list.")
        }
        let fields = try watch.kind.flatMap { kind throws(RequestError) in try query.fields(of: kind) }
        return ResolvedWatchedURL(watch: watch, fields: fields, snapshot: snapshot)
    }

    /// Refuses URLs that cannot be watched, each under its name.
    func demandWatchable(_ patch: WatchListPatch?, by viewer: Viewer) throws(RequestError) {
        var violations: [Violation] = []
        for (name, entry) in patch?.entries ?? [] {
            guard let entry, violations.count < 32 else { continue }
            do throws(RequestError) {
                _ = try watched(entry.url, by: viewer, isNamed: true)
            } catch {
                guard error.isRefusal else { throw error }
                violations.append(
                    Violation(
                        pointer: Violation.pointer("/watch", name),
                        detail: "cannot be watched. \(ProblemResponse(error).detail)"))
            }
        }
        if !violations.isEmpty { throw .invalid(violations) }
    }
}

extension ResolvedWatchedURL {
    /// Returns the subscription's entry for this URL, whose client has every change up to `since`. A debounced URL is
    /// sent as snapshots only.
    func subscribedURL(_ url: PendingWatchedURL, _ topics: [WatchTopic], since: Int64) -> SubscribedURL {
        let isDebounced = url.debounce != nil
        let topics = isDebounced ? watch.window?.whole ?? topics : topics
        // A window receives only changes of rows that it may show.
        let hidden = isDebounced ? [] : watch.window?.whole ?? []
        return SubscribedURL(
            name: url.name, url: url.url, form: isDebounced ? .view : watch.form, topics: topics,
            inEachGroup: watch.inEachClub, group: watch.club, whole: watch.whole, fields: isDebounced ? nil : fields,
            filter: watch.filter, counted: watch.count.map { $0.topics + hidden } ?? [],
            isFullyLogged: watch.isFullyLogged, viewIntervalMilliseconds: url.debounce ?? 0, since: since)
    }
}
