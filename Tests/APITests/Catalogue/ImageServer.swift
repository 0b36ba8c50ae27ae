import HTTPServer
import Synchronization

/// A server of images whose behaviour depends on the path: `/image`, `/held` until it is released, `/lie`, `/endless`,
/// `/redirect`, `/missing`.
final class ImageServer: Sendable {
    static let png: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] + Array("pixels".utf8)

    private struct State {
        var requests: [String] = []
        var closed = 0
        var held: [(EventLoop, ConnectionID)] = []
    }

    private final class Handler: RequestHandler {
        let state: Shared
        let loop: EventLoop
        init(_ state: Shared, _ loop: EventLoop) { (self.state, self.loop) = (state, loop) }

        func handle(_ request: borrowing Request, _ response: inout ResponseWriter) -> HandlerResult {
            let path = request.path.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
            let connection = request.connection
            let loop = loop
            state.all.withLock { $0.requests.append(path) }
            switch path {
            case "/held":
                state.all.withLock { $0.held.append((loop, connection)) }
                return .deferred
            case "/lie": response.body(Array("<html><script>alert(1)</script>".utf8), type: "image/png")
            case "/endless": response.body(ImageServer.png + [UInt8](repeating: 0, count: 6 << 20), type: "image/png")
            case "/redirect":
                response.status(301)
                response.field("Location", "/image")
                response.empty()
            case "/loop":
                response.status(301)
                response.field("Location", "/loop")
                response.empty()
            case "/missing":
                response.status(404)
                response.body(ImageServer.png, type: "image/png")
            default: response.body(ImageServer.png, type: "text/html")
            }
            return .answered
        }

        func clientDone(_ id: ConnectionID) { state.all.withLock { $0.closed += 1 } }
        func connectionClosed(_ id: ConnectionID) {}
        func streamWritable(_ id: ConnectionID) {}
        func streamIdle(_ id: ConnectionID) {}
        func tick(now: Int64) {}
        func draining() {}
    }

    private final class Shared: Sendable {
        let all = Mutex(State())
    }

    private let state = Shared()
    private let server: HTTPServer
    let url: String

    init() throws {
        server = HTTPServer(loops: 1) { [state] loop in Handler(state, loop) }
        url = "http://127.0.0.1:\(try server.listen(tcp: "127.0.0.1", port: 0))"
        try server.start()
    }

    deinit {
        server.drain(deadlineSeconds: 0)
        server.wait()
    }

    /// The paths of all requests so far.
    var requests: [String] { state.all.withLock { $0.requests } }
    /// The number of held requests whose client has closed the connection.
    var closed: Int { state.all.withLock { $0.closed } }

    /// Answers the held requests.
    func release() {
        let held = state.all.withLock { state in
            defer { state.held = [] }
            return state.held
        }
        for (loop, connection) in held {
            loop.execute { loop.answer(connection) { $0.body(Self.png, type: "image/png") } }
        }
    }
}
