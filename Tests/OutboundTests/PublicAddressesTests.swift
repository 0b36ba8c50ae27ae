import Bytes
import HTTPServer
import Synchronization
import Testing

@testable import Outbound

@Suite("Public addresses")
struct PublicAddressesTests {
    private final class Counting: RequestHandler {
        let count: Counter
        init(_ count: Counter) { self.count = count }
        func handle(_ request: borrowing Request, _ response: inout ResponseWriter) -> HandlerResult {
            count.value.wrappingAdd(1, ordering: .relaxed)
            let path = request.path.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
            if path == "/inside" {
                response.status(302)
                response.field("Location", "http://169.254.169.254/latest/meta-data/")
                response.empty()
            } else {
                response.body([1], type: "image/png")
            }
            return .answered
        }
    }

    private final class Counter: Sendable {
        let value = Atomic(0)
    }

    private static func contains(_ text: String, in addresses: PublicAddresses) -> Bool? {
        IPAddress(text).map { addresses.contains($0) }
    }

    @Test(
        "Addresses of this machine, private networks and reserved ranges are not public",
        arguments: [
            "127.0.0.1", "127.255.255.255", "0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1",
            "100.127.255.255", "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.8", "192.0.2.1",
            "192.88.99.1",
            "192.168.1.1", "198.18.0.1", "198.19.255.255", "198.51.100.7", "203.0.113.9", "224.0.0.1", "239.1.1.1",
            "240.0.0.1", "255.255.255.255", "::", "::1", "::ffff:127.0.0.1", "::ffff:10.1.1.1", "::ffff:0:127.0.0.1",
            "::127.0.0.1", "64:ff9b::127.0.0.1", "64:ff9b::a00:1", "64:ff9b:1::1", "100::1", "2001::1", "2001:db8::1",
            "2001:10::1", "2002:7f00:1::", "2002:c0a8:101::", "3fff::1", "3fff:fff::1", "fc00::1", "fdff::1", "fe80::1",
            "fec0::1", "ff02::1",
        ])
    func reserved(_ address: String) { #expect(Self.contains(address, in: PublicAddresses()) == false) }

    @Test(
        "All other addresses are public",
        arguments: [
            "1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.1.1.1", "128.0.0.1",
            "169.253.1.1", "172.15.255.255", "172.32.0.0", "192.0.1.1", "192.167.1.1", "192.169.0.1", "198.17.1.1",
            "198.20.0.1", "223.255.255.255", "2606:4700::1111", "2001:4860:4860::8888", "2001:200::1", "2a00:1450::1",
            "::ffff:1.1.1.1", "64:ff9b::101:101", "2002:101:101::", "3ffe::1",
        ])
    func open(_ address: String) { #expect(Self.contains(address, in: PublicAddresses()) == true) }

    @Test("In tests loopback addresses count as public, and no others")
    func loopback() {
        let addresses = PublicAddresses(includingLoopback: true)
        #expect(["127.0.0.1", "127.9.9.9", "::1"].allSatisfy { Self.contains($0, in: addresses) == true })
        #expect(["10.0.0.1", "::2", "169.254.169.254"].allSatisfy { Self.contains($0, in: addresses) == false })
    }

    @Test(
        "No spelling of this machine's address in a URL is reached",
        arguments: [
            "127.0.0.1", "localhost", "127.1", "2130706433", "0x7f000001", "0177.0.0.1", "0x7f.0.0.1", "[::1]",
            "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "0.0.0.0", "0", "[::]",
        ])
    func spelled(_ host: String) async throws {
        let count = Counter()
        let server = HTTPServer(loops: 1) { _ in Counting(count) }
        let port = try server.listen(tcp: "127.0.0.1", port: 0)
        try server.start()
        let transport = try HTTPTransport(to: PublicAddresses())
        await #expect(throws: HTTPClientError.self) {
            try await transport.send(HTTPRequest("GET", "http://\(host):\(port)/"))
        }
        #expect(count.value.load(ordering: .relaxed) == 0)
        server.drain(deadlineSeconds: 0)
        server.wait()
    }

    @Test("A redirect to a private address is not followed")
    func redirect() async throws {
        let count = Counter()
        let server = HTTPServer(loops: 1) { _ in Counting(count) }
        let port = try server.listen(tcp: "127.0.0.1", port: 0)
        try server.start()
        let transport = try HTTPTransport(to: PublicAddresses(includingLoopback: true))
        #expect(try await transport.send(HTTPRequest("GET", "http://127.0.0.1:\(port)/")).status == 200)
        await #expect(throws: HTTPClientError.self) {
            try await transport.send(HTTPRequest("GET", "http://127.0.0.1:\(port)/inside"))
        }
        server.drain(deadlineSeconds: 0)
        server.wait()
    }

    @Test(
        "Protocols other than HTTP are refused",
        arguments: ["file:///etc/passwd", "ftp://1.1.1.1/", "gopher://1.1.1.1/"])
    func protocols(_ url: String) async throws {
        let transport = try HTTPTransport(to: PublicAddresses())
        await #expect(throws: HTTPClientError.self) { try await transport.send(HTTPRequest("GET", url)) }
    }
}
