import Bytes
import HTTPServer
import JSON
import Model
import ObservableModels
import Store

/// A request with what the house knows of it, for the handler of its route. Valid while that runs: what a reply does later takes along
/// what it needs.
struct Call: ~Copyable, ~Escapable {
    let request: Request
    private let captures: Captures
    let query: Query
    /// Who asks; nobody where the route admits anyone.
    let viewer: Viewer
    let now: Instant
    /// Whether a stream is asked for.
    let isWatched: Bool
    let desk: Desk

    @_lifetime(copy request)
    init(
        _ request: Request, _ captures: Captures, _ query: Query, _ viewer: Viewer, now: Instant, isWatched: Bool,
        _ desk: Desk
    ) {
        self.request = request
        self.captures = captures
        self.query = query
        self.viewer = viewer
        self.now = now
        self.isWatched = isWatched
        self.desk = desk
    }

    var reads: ReadConnection { desk.reads }
    var service: ServiceState { desk.service }
    /// The address that the request comes from, whatever proxies brought it; nil on the Unix socket, and of no use in a batch.
    var clientAddress: IPAddress? { service.forwarding.client(of: request) }

    /// The id in a capture of the path; what is no UUID names nothing.
    func id(_ index: Int) throws(LecternError) -> ResourceID {
        guard let id = ResourceID(text: captures.bytes(index, in: request.path)) else { throw .notFound }
        return id
    }

    /// The text in a capture of the path; nil when it is malformed.
    func text(_ index: Int) -> String? { captures.text(index, in: request.path) }

    /// The club in the path, of which the viewer is a member who may do that.
    func club(_ action: ClubAction) throws(LecternError) -> Club { try reads.club(id(0), for: viewer, to: action) }

    /// The id in a capture of the path, which the client chose for what it makes of a body there.
    func claim(_ index: Int, of body: JSONValue) throws(LecternError) -> Claim {
        var said = Array(API.text(of: request.path).lowercased().utf8) + [0]
        body.appendCanonical(to: &said)
        return Claim(try id(index), SHA256.digest(of: said))
    }

    /// The body, a JSON document.
    func json(mergePatch: Bool = false) throws(LecternError) -> JSONValue {
        try Body.json(request, mergePatch: mergePatch)
    }
}

extension Viewer {
    /// Who comes without a token.
    static let nobody = Viewer(
        reader: ResourceID(high: 0, low: 0), readerKey: 0, role: .reader, access: .read, token: nil, expiresAt: nil)
}
