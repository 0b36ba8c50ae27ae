import Foundation
import Glibc
import HTTPServer
import Outbound
import Testing

@Suite("Responses and errors of the HTTP client")
struct HTTPClientTests {
    private final class Echo: RequestHandler {
        func handle(_ request: borrowing Request, _ response: inout ResponseWriter) -> HandlerResult {
            response.status(request.method == .put ? 201 : 200)
            response.field("X-Path", request.path.withUnsafeBytes { Array($0) })
            response.body(request.body.withUnsafeBytes { Array($0) }, type: "text/plain")
            return .answered
        }
    }

    @Test("A response has its status, fields and body")
    func answers() async throws {
        let server = HTTPServer(loops: 1) { _ in Echo() }
        let port = try server.listen(tcp: "127.0.0.1", port: 0)
        try server.start()
        let transport = try HTTPTransport()
        for number in 0..<3 {
            let response = try await transport.send(
                HTTPRequest("PUT", "http://127.0.0.1:\(port)/\(number)", body: Array("hello".utf8)))
            #expect(
                response.status == 201 && response.fields["x-path"] == "/\(number)"
                    && response.body == Array("hello".utf8))
        }
        server.drain(deadlineSeconds: 1)
        server.wait()
    }

    @Test("The socket of a killed server is named in the error, without host and port")
    func socketLeft() async throws {
        let path = NSTemporaryDirectory() + "lectern-\(UUID().uuidString.prefix(8)).sock"
        defer { unlink(path) }
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let code = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        #expect(code == 0)
        close(descriptor)
        let error = await #expect(throws: HTTPClientError.self) {
            try await HTTPTransport(socketPath: path).send(HTTPRequest("GET", "http://localhost/healthz"))
        }
        #expect(error?.isRefused == true && error?.description == "no server responds at \(path)")
    }

    @Test("An unreachable server is named in the error")
    func refused() async throws {
        let error = await #expect(throws: HTTPClientError.self) {
            try await HTTPTransport().send(HTTPRequest("GET", "http://127.0.0.1:1/"))
        }
        #expect(error?.description.contains("cannot reach http://127.0.0.1:1/") == true)
    }
}
