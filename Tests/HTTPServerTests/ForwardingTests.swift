import Bytes
import Testing

@testable import HTTPServer

@Suite("Clients behind a proxy")
struct ForwardingTests {
    private static let proxies = ["10.0.0.0/8", "fd00::/8", "127.0.0.1"]

    private func client(
        _ field: String, _ lines: [String], from peer: String = "10.0.0.1"
    ) throws -> String? {
        let ranges = try Self.proxies.map { try AddressRange($0) }
        let forwarding = try #require(ForwardedClientAddress(field: field, proxies: ranges))
        let text = "GET / HTTP/1.1\r\nHost: a\r\n" + lines.map { $0 + "\r\n" }.joined() + "\r\n"
        let address = try #require(IPAddress(peer))
        let found = withRequest(text, from: .tcp(address)) { forwarding.client(of: $0) }
        return try #require(found)?.description
    }

    private static let lists: [(String, String)] = [
        ("203.0.113.7", "203.0.113.7"), ("198.51.100.1, 203.0.113.7", "203.0.113.7"),
        ("198.51.100.1,203.0.113.7 , 10.2.3.4,fd00::1", "203.0.113.7"), ("2001:db8::7", "2001:db8::7"),
        ("203.0.113.7:4711", "203.0.113.7"), ("[2001:db8::7]:4711", "2001:db8::7"), ("[2001:db8::7]", "2001:db8::7"),
        ("::ffff:203.0.113.7", "203.0.113.7"), ("203.0.113.7,", "203.0.113.7"), (",, 203.0.113.7 ,\t,", "203.0.113.7"),
        // All hops are proxies: the farthest one counts.
        ("10.9.9.9, 10.2.3.4", "10.9.9.9"), ("::ffff:10.9.9.9", "10.9.9.9"), ("127.0.0.1", "127.0.0.1"),
        // The client's text before the proxy's own element is not even parsed.
        ("\", 203.0.113.7", "203.0.113.7"), ("x\\, 203.0.113.7", "203.0.113.7"),
        ("\"1.2.3.4, 203.0.113.7", "203.0.113.7"),
        ("10.0.0.1, 1.2.3.4, 203.0.113.7", "203.0.113.7"), ("garbage, 203.0.113.7", "203.0.113.7"),
        // An invalid hop was forwarded by the known proxy after it.
        ("", "10.0.0.1"), (",", "10.0.0.1"), ("garbage", "10.0.0.1"), ("203.0.113.7, garbage", "10.0.0.1"),
        ("203.0.113.7, unknown, 10.2.3.4", "10.2.3.4"), ("203.0.113.7 10.2.3.4", "10.0.0.1"),
        ("203.0.113.7:", "10.0.0.1"), ("203.0.113.7:65536", "10.0.0.1"), ("203.0.113.7:-1", "10.0.0.1"),
        ("[203.0.113.7]", "10.0.0.1"), ("[203.0.113.7]:80", "10.0.0.1"), ("[2001:db8::7", "10.0.0.1"),
        ("[2001:db8::7]x", "10.0.0.1"), ("2001:db8::7]", "10.0.0.1"), ("[]", "10.0.0.1"), ("[", "10.0.0.1"),
        (":", "10.0.0.1"), ("203.0.113.007", "10.0.0.1"), ("0xcb.0.113.7", "10.0.0.1"), ("fe80::1%eth0", "10.0.0.1"),
        ("\"203.0.113.7\"", "10.0.0.1"), ("203.0.113.7;", "10.0.0.1"), ("ä", "10.0.0.1"),
    ]

    @Test("The client is the rightmost hop that is no trusted proxy, in a list of addresses", arguments: lists)
    func addresses(_ value: String, _ expected: String) throws {
        #expect(try client("X-Forwarded-For", ["X-Forwarded-For: \(value)"]) == expected)
        #expect(try client("x-forwarded-for", ["A: b", "X-FORWARDED-FOR: \(value)"]) == expected)
    }

    @Test("Repeated fields are one list, and other fields are not part of it")
    func repeated() throws {
        let field = "X-Forwarded-For"
        #expect(try client(field, ["\(field): 1.2.3.4", "\(field): 203.0.113.7"]) == "203.0.113.7")
        #expect(try client(field, ["\(field): 203.0.113.7", "\(field): 10.1.1.1", "\(field):"]) == "203.0.113.7")
        #expect(try client(field, ["Forwarded: for=1.2.3.4", "X-Real-IP: 1.2.3.4"]) == "10.0.0.1")
        #expect(try client("X-Real-IP", ["\(field): 1.2.3.4", "X-Real-IP: 203.0.113.7"]) == "203.0.113.7")
    }

    @Test("Only a trusted proxy's field is used")
    func strangers() throws {
        #expect(try client("X-Forwarded-For", ["X-Forwarded-For: 10.0.0.1"], from: "203.0.113.7") == "203.0.113.7")
        #expect(try client("X-Forwarded-For", ["X-Forwarded-For: 1.2.3.4"], from: "2001:db8::7") == "2001:db8::7")
        let none = withRequest("GET / HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 1.2.3.4\r\n\r\n") {
            ForwardedClientAddress.none.client(of: $0)
        }
        #expect(none == .loopback)
        let local = withRequest("GET / HTTP/1.1\r\nHost: a\r\n\r\n", from: .unix) {
            ForwardedClientAddress.none.client(of: $0)
        }
        #expect(local == .some(nil))
    }

    @Test("The longest field is read once")
    func long() throws {
        let hops = String(repeating: "10.0.0.1,", count: 1700)
        #expect(try client("X-Forwarded-For", ["X-Forwarded-For: \(hops)"]) == "10.0.0.1")
    }

    @Test("A field must have a name", arguments: ["", "a b", "x:", "é", "a\r\nb"])
    func names(_ name: String) { #expect(ForwardedClientAddress(field: name, proxies: []) == nil) }

    @Test("A connection names its client's address")
    func peer() throws {
        let server = try TestServer()
        let client = try server.client()
        client.send("GET /who HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        #expect(client.readAll().hasSuffix("\r\n\r\n127.0.0.1"))
    }
}
