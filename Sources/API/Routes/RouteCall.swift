import Bytes
import HTTPServer
import JSON
import Model
import ObservableModels
import Store

/// A request with its context, for the handler of its route. It is only valid while the handler runs, so closures in a
/// reply capture what they need.
struct RouteCall: ~Copyable, ~Escapable {
    let request: Request
    private let captures: RouteCaptures
    let query: RequestQuery
    /// The viewer, or `nobody` if the route admits anyone.
    let viewer: Viewer
    let now: Instant
    /// A Boolean value indicating whether the request asks for a stream.
    let isWatched: Bool
    let pipeline: RequestPipeline

    @_lifetime(copy request)
    init(
        _ request: Request, _ captures: RouteCaptures, _ query: RequestQuery, _ viewer: Viewer, now: Instant,
        isWatched: Bool, _ pipeline: RequestPipeline
    ) {
        self.request = request
        self.captures = captures
        self.query = query
        self.viewer = viewer
        self.now = now
        self.isWatched = isWatched
        self.pipeline = pipeline
    }

    var reads: ReadConnection { pipeline.reads }
    var service: SharedServiceState { pipeline.service }
    /// The client's address, determined through trusted proxies. It is `nil` on the Unix socket, and not meaningful in
    /// a batch.
    var clientAddress: IPAddress? { service.forwarding.client(of: request) }

    /// Returns the id in a capture of the path. Throws `notFound` if it is no UUID.
    func id(_ index: Int) throws(RequestError) -> ResourceID {
        guard let id = ResourceID(text: captures.bytes(index, in: request.path)) else { throw .notFound }
        return id
    }

    /// Returns the ids in all captures of the path. Throws `notFound` if one is no UUID.
    func ids() throws(RequestError) -> [ResourceID] {
        var ids: [ResourceID] = []
        for index in 0..<captures.count { ids.append(try id(index)) }
        return ids
    }

    /// Returns the text in a capture of the path, or `nil` if it is malformed.
    func text(_ index: Int) -> String? { captures.text(index, in: request.path) }

    /// Returns the club in the path. Throws unless the viewer is a member who may perform an action.
    func club(_ action: ClubAction) throws(RequestError) -> Club { try reads.club(id(0), for: viewer, to: action) }

    /// Returns the claim of the id that the client chose for a new resource, with a digest of the path and the body.
    func claim(_ index: Int, of body: JSONValue) throws(RequestError) -> ClientChosenID {
        var given = Array(API.text(of: request.path).lowercased().utf8) + [0]
        body.appendCanonical(to: &given)
        return ClientChosenID(try id(index), SHA256.digest(of: given))
    }
}
