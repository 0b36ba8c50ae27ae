import Bytes
import Testing

@testable import HTTPServer

@Suite("Internal requests of the server")
struct InternalRequestTests {
    private static let nowhere = ConnectionID(loop: 0, slot: 0, generation: 0)

    private func read(_ request: InternalRequest) -> [String]? {
        request.read(for: Self.nowhere, .tcp(.loopback)) { request in
            var condition = "-"
            if let field = request.field("if-match") { condition = text(field) }
            return [
                text(request.methodText), text(request.path), text(request.query), condition, text(request.body),
            ]
        }
    }

    @Test("Internal requests have the parts that they were made of")
    func readable() {
        let request = InternalRequest(
            "PUT", "/v1/books/a%20b?x=1&y", fields: [("If-Match", #""1""#)], body: Array("{\r\n\r\n}".utf8))
        #expect(read(request) == ["PUT", "/v1/books/a%20b", "x=1&y", #""1""#, "{\r\n\r\n}"])
        #expect(read(InternalRequest("GET", "/")) == ["GET", "/", "", "-", ""])
    }

    @Test(
        "Invalid internal requests are refused",
        arguments: [
            "", "/a b", "/a\r\nIf-Match: *", "/a HTTP/1.1\r\nX: y\r\n\r\n", "/\u{e9}", "/a\0", "nothing", "/#x",
            "/" + String(repeating: "a", count: 9000),
        ])
    func malformed(target: String) { #expect(read(InternalRequest("GET", target)) == nil) }

    @Test("Internal requests have only the given fields")
    func fields() {
        #expect(read(InternalRequest("GET", "/", fields: [("If-Match", "*\r\nX: y")])) == nil)
        #expect(read(InternalRequest("GET", "/", fields: [("If-Match", "*\r\n\r\nbody")])) == nil)
        #expect(read(InternalRequest("G T", "/")) == nil)
    }

    private func text(_ span: RawSpan) -> String { span.withUnsafeBytes { String(decoding: $0, as: UTF8.self) } }
}
