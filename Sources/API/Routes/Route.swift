import HTTPServer
import JSON
import Model
import Store

/// A route of the API: a method, a path, the admitted callers and the handler. A test compares all routes with the
/// contract in openapi.yaml.
///
/// A route is an object because every request takes one out of the router. That costs one reference count, while a
/// value's strings and closure would cost several.
final class Route: Sendable {
    let method: HTTPMethod
    /// The path, with captures in braces.
    let path: StaticString
    /// The contract's operationId.
    let operation: StaticString
    /// A Boolean value indicating whether it may be a line of a batch. The default is `false`. Requests that only read,
    /// create or end credentials, or return a secret, are not allowed in batches.
    let inBatches: Bool
    /// The query's parameters.
    let parameters: [String]
    let admission: AdmittedCallers
    /// The command that sends the request on the server's machine, if only requests over the Unix socket are allowed;
    /// otherwise `nil`.
    let localCommand: StaticString?
    /// The access that a token needs.
    let access: Token.Access
    let watching: RouteWatchSupport
    /// A Boolean value indicating whether everyone gets the same pages, which are therefore cached.
    let sharesPages: Bool
    /// A Boolean value indicating whether it is a probe, which has no rate limit.
    let isProbe: Bool
    /// A Boolean value indicating whether unknown parameters are ignored, because another server wrote the query (RFC
    /// 6749, 4.1.2).
    let ignoresOthers: Bool
    /// Returns the reply. Parameters that are not in `parameters` have been refused.
    let answer: RouteHandler

    /// Creates a route. By default any token is admitted, with read access for a `GET` and write access for any other
    /// method.
    @inline(never)
    init(
        _ method: HTTPMethod, _ path: StaticString, _ operation: StaticString, inBatches: Bool = false,
        parameters: [String] = [],
        admission: AdmittedCallers = .readers, localCommand: StaticString? = nil, access: Token.Access? = nil,
        watching: RouteWatchSupport? = nil,
        sharesPages: Bool = false, ignoresOthers: Bool = false, answer: @escaping RouteHandler
    ) {
        self.method = method
        self.path = path
        self.operation = operation
        self.inBatches = inBatches
        self.admission = admission
        self.localCommand = localCommand
        self.access = access ?? (method == .get ? .read : .write)
        self.watching = watching ?? (method == .get ? .yes : .no(because: "It writes."))
        self.sharesPages = sharesPages
        self.ignoresOthers = ignoresOthers
        self.answer = answer
        isProbe = ["/healthz", "/readyz"].contains("\(path)")
        self.parameters = parameters + self.watching.parameters.filter { !parameters.contains($0) }
    }

    var isWatchable: Bool { if case .no = watching { false } else { true } }

    /// Returns the parameters of a list's query: its own, and those of its pages.
    @inline(never)
    static func paged(_ own: String...) -> [String] { own + ["limit", "cursor"] }
}

extension Route {
    /// Returns the route that writes what its path names: by a merge patch with `PATCH`, otherwise by the whole body.
    /// `command` gets the ids that the path captures, and the body.
    static func writing<Body: RequestBody>(
        _ method: HTTPMethod, _ path: StaticString, _ operation: StaticString,
        _ command: @escaping @Sendable ([ResourceID], Body) -> Command
    ) -> Route {
        let isPatch = method == .patch
        return Route(method, path, operation, inBatches: true) { call throws(RequestError) in
            let ids = try call.ids()
            return .commit(command(ids, try Body(call.json(mergePatch: isPatch), form: isPatch ? .patch : .whole)))
        }
    }

    /// Returns the route that deletes what its path names. `command` gets the ids that the path captures.
    static func deleting(
        _ path: StaticString, _ operation: StaticString, inBatches: Bool = true, access: Token.Access = .write,
        _ command: @escaping @Sendable ([ResourceID]) -> Command
    ) -> Route {
        Route(.delete, path, operation, inBatches: inBatches, access: access) { call throws(RequestError) in
            .commit(command(try call.ids()))
        }
    }

    /// Returns the routes that create a resource: with an id of the server, and under an id of the client's, which is
    /// the last capture of its path. Both have the same body and command, which gets the ids that the path captures.
    static func creating<Body: RequestBody>(
        _ kind: ResourceKind, _ list: StaticString, _ post: StaticString, _ resource: StaticString,
        _ put: StaticString, _ command: @escaping @Sendable ([ResourceID], Body) -> Command
    ) -> [Route] {
        creating(kind, list, post, resource, put) { ids, body, _ throws(RequestError) in command(ids, try Body(body)) }
    }

    /// Returns the routes that create a resource whose body is decoded as of the request's time.
    static func creating(
        _ kind: ResourceKind, _ list: StaticString, _ post: StaticString, _ resource: StaticString, _ put: StaticString,
        _ command: @escaping @Sendable ([ResourceID], JSONValue, Instant) throws(RequestError) -> Command
    ) -> [Route] {
        [
            Route(.post, list, post, inBatches: true) { call throws(RequestError) in
                .commit(try command(call.ids(), call.json(), call.now))
            },
            Route(.put, resource, put, inBatches: true) { call throws(RequestError) in
                let (ids, body) = (try call.ids(), try call.json())
                let claim = try call.claim(ids.count - 1, of: body)
                return .commit(try command(ids, body, call.now).claiming(claim, kind))
            },
        ]
    }
}

typealias RouteHandler = @Sendable (borrowing RouteCall) throws(RequestError) -> RouteReply

/// The callers that a route admits. Commands and queries then decide what a caller may see and do.
enum AdmittedCallers: Sendable {
    case anyone
    case readers
    case administrators
}

/// The way in which a route can be watched with `Accept: text/event-stream`.
enum RouteWatchSupport: Sendable {
    case yes
    /// A route that can be watched, but not narrowed to fields.
    case whole
    case no(because: StaticString)

    /// The additional parameters of a request that watches.
    var parameters: [String] {
        switch self {
        case .yes: ["after", "fields"]
        case .whole: ["after"]
        case .no: []
        }
    }
}
