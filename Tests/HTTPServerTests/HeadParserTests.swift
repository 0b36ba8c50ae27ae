import Testing

@testable import HTTPServer

@Suite("The head parser")
struct HeadParserTests {
    private static let accepted = [
        "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
        "\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /a?b=c HTTP/1.1\r\nHost: example.org:8080\r\n\r\n",
        "GET / HTTP/1.0\r\n\r\n",
        "GET / HTTP/1.1\r\nhOST:a\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: [::1]:80\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nX:\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nX: \t a b \t\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nX: D\u{FC}sseldorf\r\n\r\n",
        "GET http://a.example/b?c HTTP/1.1\r\nHost: other\r\n\r\n",
        "GET http://a.example HTTP/1.1\r\nHost: other\r\n\r\n",
        "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nContent-Length: 3\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 003\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: Chunked\r\n\r\n",
        "GET /a-._~!$&'()*+,;=:@/b%2F?/?:@%7E HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a%2Db-._~!$&'()*+,;=\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: [2001:db8::ffff:192.0.2.1]\r\n\r\n",
        "GET http://[::1]:80/ HTTP/1.1\r\nHost: a\r\n\r\n",
        "BREW /pot HTTP/1.1\r\nHost: a\r\n\r\n",
    ]

    @Test("Valid heads are accepted, at once and byte by byte", arguments: accepted)
    func accepts(_ text: String) {
        #expect(parse(text) == .complete)
        #expect(parse(text, piece: 1) == .complete)
        #expect(parse(text, piece: 3) == .complete)
    }

    private static let host = "Host: a\r\n"
    private static let refused: [(String, RequestRefusal)] = [
        ("GET / HTTP/1.1\r\n\r\n", .malformed(.hostMissing)),
        ("GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", .malformed(.hostRepeated)),
        ("GET / HTTP/1.1\r\nHost:\r\n\r\n", .malformed(.host)),
        ("GET / HTTP/1.1\r\nHost: a b\r\n\r\n", .malformed(.host)),
        ("GET / HTTP/1.1\r\nHost: u@a\r\n\r\n", .malformed(.host)),
        ("GET / HTTP/1.1\r\nHost: a:123456\r\n\r\n", .malformed(.host)),
        ("GET / HTTP/1.1\nHost: a\n\n", .malformed(.controlCharacter)),
        ("GET / HTTP/1.1\r\nHost: a\n\r\n", .malformed(.controlCharacter)),
        ("GET / HTTP/1.1\r\nHost: a\r\rX: b\r\n\r\n", .malformed(.controlCharacter)),
        ("GET / HTTP/1.1\r\nHost: a\r\nX: a\0b\r\n\r\n", .malformed(.controlCharacter)),
        ("GET / HTTP/1.1\r\nHost: a\r\nX: a\u{7F}b\r\n\r\n", .malformed(.controlCharacter)),
        ("GET / HTTP/1.1\r\nHost: a\r\nX: a\r\n b\r\n\r\n", .malformed(.fieldValue)),
        ("GET / HTTP/1.1\r\n Host: a\r\n\r\n", .malformed(.fieldValue)),
        ("GET / HTTP/1.1\r\nHost : a\r\n\r\n", .malformed(.fieldName)),
        ("GET / HTTP/1.1\r\nHost: a\r\n: b\r\n\r\n", .malformed(.fieldName)),
        ("GET / HTTP/1.1\r\nHost: a\r\nX\r\n\r\n", .malformed(.fieldName)),
        ("GET / HTTP/1.1\r\nHost: a\r\nX@: b\r\n\r\n", .malformed(.fieldName)),
        ("GET /\u{E9} HTTP/1.1\r\nHost: a\r\n\r\n", .malformed(.target)),
        ("GET /a\tb HTTP/1.1\r\nHost: a\r\n\r\n", .malformed(.target)),
        ("GET /a\u{1}b HTTP/1.1\r\nHost: a\r\n\r\n", .malformed(.controlCharacter)),
        ("GET /a#b HTTP/1.1\r\nHost: a\r\n\r\n", .malformed(.target)),
        ("GET a HTTP/1.1\r\nHost: a\r\n\r\n", .malformed(.target)),
        ("GET ftp://a/ HTTP/1.1\r\nHost: a\r\n\r\n", .malformed(.target)),
        ("GET http:///a HTTP/1.1\r\nHost: a\r\n\r\n", .malformed(.host)),
        ("GET http://u:p@a/ HTTP/1.1\r\nHost: a\r\n\r\n", .malformed(.host)),
        ("GET * HTTP/1.1\r\nHost: a\r\n\r\n", .malformed(.asterisk)),
        ("CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n", RequestRefusal(.notAProxy)),
        ("GET  / HTTP/1.1\r\nHost: a\r\n\r\n", .malformed(.target)),
        ("GET / a HTTP/1.1\r\nHost: a\r\n\r\n", .malformed(.version)),
        ("GET /\r\n\r\n", .malformed(.requestLine)),
        ("GET\r\n\r\n", .malformed(.method)),
        ("G@T / HTTP/1.1\r\nHost: a\r\n\r\n", .malformed(.method)),
        ("GET / HTTP/1.10\r\nHost: a\r\n\r\n", .malformed(.version)),
        ("GET / http/1.1\r\nHost: a\r\n\r\n", .malformed(.version)),
        ("GET / HTTP/2.0\r\nHost: a\r\n\r\n", RequestRefusal(.versionNotSupported)),
        ("\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n", .malformed(.requestLine)),
        ("GET / HTTP/1.1\r\nHost: a\r\nExpect: a pony\r\n\r\n", RequestRefusal(.expectationUnknown)),
        ("POST / HTTP/1.0\r\n\r\n", RequestRefusal(.lengthRequired)),
    ]

    @Test(
        "A target contains no character that must be escaped, and no incomplete escape",
        arguments: ["\"", "<", ">", "\\", "^", "`", "{", "|", "}", "[", "]", "%", "%a", "%g0", "%0g", "%%20"])
    func refusesTargets(_ text: String) {
        for target in [
            "/\(text)", "/a\(text)-", "/a?\(text)", "/a?b=\(text)&c", "http://a/\(text)", "http://a?\(text)",
        ] {
            #expect(parse("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n") == .refused(.malformed(.target)), "\(target)")
        }
    }

    @Test(
        "A host is a registered name or an address",
        arguments: [
            "a%zz", "a%2", "%", "[::::]", "[]", "[:]", "[1]", "[::1", "[::1]x", "[::ffff:999.0.0.1]", "[1:2:3:4:5:6:7]",
            "[1:2:3:4:5:6:7:8:9]", "[12345::]", "[::1%25eth0]", "[v1.a]", "a/b", "a\"b", ":80", "a:b",
        ])
    func refusesHosts(_ host: String) {
        #expect(parse("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n") == .refused(.malformed(.host)))
    }

    @Test("Invalid heads are refused, at once and byte by byte", arguments: refused)
    func refuses(_ text: String, _ refusal: RequestRefusal) {
        #expect(parse(text) == .refused(refusal))
        #expect(parse(text, piece: 1) == .refused(refusal))
    }

    private static let smuggled: [(String, RequestRefusal)] = [
        ("Content-Length: 3\r\nTransfer-Encoding: chunked", .malformed(.bothLengths)),
        ("Transfer-Encoding: chunked\r\nContent-Length: 3", .malformed(.bothLengths)),
        ("Content-Length: 3\r\nContent-Length: 4", .malformed(.contentLengthRepeated)),
        ("Content-Length: 3, 3", .malformed(.contentLength)),
        ("Content-Length: +3", .malformed(.contentLength)),
        ("Content-Length: -3", .malformed(.contentLength)),
        ("Content-Length: 0x3", .malformed(.contentLength)),
        ("Content-Length: 3.0", .malformed(.contentLength)),
        ("Content-Length: 4 2", .malformed(.contentLength)),
        ("Content-Length:", .malformed(.contentLength)),
        ("Content-Length: 99999999999999999999", RequestRefusal(.bodyTooLarge)),
        ("Content-Length: 9223372036854775807", RequestRefusal(.bodyTooLarge)),
        ("Transfer-Encoding: chunked, chunked", .malformed(.transferEncoding)),
        ("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", .malformed(.transferEncoding)),
        ("Transfer-Encoding: gzip, chunked", .malformed(.transferEncoding)),
        ("Transfer-Encoding: chunked, gzip", .malformed(.transferEncoding)),
        ("Transfer-Encoding: xchunked", .malformed(.transferEncoding)),
        ("Transfer-Encoding: identity", .malformed(.transferEncoding)),
        ("Transfer-Encoding:", .malformed(.transferEncoding)),
        ("Transfer-Encoding: \"chunked\"", .malformed(.transferEncoding)),
        ("Transfer-Encoding : chunked", .malformed(.fieldName)),
        ("Transfer-Encoding\t: chunked", .malformed(.fieldName)),
        ("Content-Length: 3\r\n\tfoo", .malformed(.fieldValue)),
    ]

    @Test("A request that two parsers could read differently is refused", arguments: smuggled)
    func refusesSmuggling(_ fields: String, _ refusal: RequestRefusal) {
        let text = "POST / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n\r\n"
        #expect(parse(text) == .refused(refusal))
        #expect(parse(text, piece: 1) == .refused(refusal))
    }

    @Test("HTTP/1.0 has no Transfer-Encoding")
    func refusesCodingIn10() {
        let text = "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n"
        #expect(parse(text) == .refused(.malformed(.transferEncodingIn10)))
    }

    @Test("Each limit holds to the byte")
    func limits() {
        var limits = HTTPLimits()
        limits.requestLineBytesMax = 15
        #expect(parse("GET /a HTTP/1.1\r\nHost: a\r\n\r\n", limits: limits) == .complete)
        #expect(
            parse("GET /ab HTTP/1.1\r\nHost: a\r\n\r\n", limits: limits)
                == .refused(RequestRefusal(.requestLineTooLong)))
        #expect(parse("GET /abcdefghijk", limits: limits) == .refused(RequestRefusal(.requestLineTooLong)))
        limits.headBytesMax = 20
        #expect(parse("GET / HTTP/1.1\r\nHost: a\r\nX: 45678\r\n\r\n", limits: limits) == .complete)
        #expect(
            parse("GET / HTTP/1.1\r\nHost: a\r\nX: 456789012", limits: limits)
                == .refused(RequestRefusal(.fieldsTooLong)))
        limits.headFieldsMax = 2
        #expect(parse("GET / HTTP/1.1\r\nHost: a\r\nX:\r\n\r\n", limits: limits) == .complete)
        #expect(
            parse("GET / HTTP/1.1\r\nHost: a\r\nX:\r\nY:\r\n", limits: limits)
                == .refused(RequestRefusal(.tooManyFields)))
    }

    @Test("A request shows its parts")
    func parts() {
        let text = "PATCH http://b.example/c/d?e=f?g HTTP/1.1\r\nHost: a\r\nX-Y: 1\r\nx-y:  2 \r\n\r\n"
        let seen = withRequest(text) { request in
            [
                request.methodText.text, request.target.text, request.path.text, request.query.text, request.host.text,
                request.field("X-y")?.text ?? "", request.field("x-y", occurrence: 1)?.text ?? "",
                request.field("x-y", occurrence: 2)?.text ?? "none", request.fieldName(at: 1).text,
                "\(request.method)", "\(request.body.byteCount)",
            ]
        }
        #expect(
            seen == [
                "PATCH", "http://b.example/c/d?e=f?g", "/c/d", "e=f?g", "b.example", "1", "2", "none", "X-Y", "patch",
                "0",
            ])
        #expect(withRequest("GET http://b?q HTTP/1.1\r\nHost: a\r\n\r\n") { $0.path.text + $0.query.text } == "/q")
    }

    @Test("Random bytes never crash the parser")
    func randomBytes() {
        var random = SystemRandomNumberGenerator()
        let seeds = Self.accepted.map(latin1)
        for round in 0..<20000 {
            var bytes = seeds[round % seeds.count]
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            var head = RequestHead(fieldsMax: 4)
            _ = try? head.parse(bytes.span, HTTPLimits())
        }
    }
}
