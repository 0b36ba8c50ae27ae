import Testing

@testable import HTTPServer

@Suite("The chunk decoder")
struct ChunkDecoderTests {
    private struct Outcome: Equatable {
        var progress: ParseStatus
        var body: String
        var rest: String
    }

    /// Decodes a text in pieces as they would arrive, each placed right after the decoded bytes.
    private func decode(_ text: String, piece: Int, limits: HTTPLimits = HTTPLimits()) -> Outcome {
        let source = latin1(text)
        var buffer = [UInt8](repeating: 0, count: source.count)
        var decoder = ChunkDecoder()
        var body = 0
        var taken = 0
        while taken < source.count {
            let count = min(piece, source.count - taken)
            for index in 0..<count { buffer[body + index] = source[taken + index] }
            taken += count
            var read = body
            let end = body + count
            let progress = buffer.withUnsafeMutableBytes {
                let base = $0.baseAddress!
                return ParseStatus { () throws(RequestRefusal) in
                    try decoder.decode(base, read: &read, write: &body, end: end, limits)
                }
            }
            if progress != .incomplete {
                let rest = Array(buffer[read..<end]) + source[taken...]
                return Outcome(
                    progress: progress, body: String(decoding: buffer[..<body], as: UTF8.self),
                    rest: String(decoding: rest, as: UTF8.self))
            }
        }
        return Outcome(progress: .incomplete, body: String(decoding: buffer[..<body], as: UTF8.self), rest: "")
    }

    private static let bodies: [(String, String, String)] = [
        ("0\r\n\r\n", "", ""),
        ("5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n", "hello world", ""),
        ("A\r\n0123456789\r\n000\r\n\r\nGET", "0123456789", "GET"),
        ("5;a\r\nhello\r\n0;b=c;d=\"e;\\\"f\"\r\n\r\n", "hello", ""),
        ("5\r\nhello\r\n0\r\nVary: *\r\nX-Y:\r\n\r\nrest", "hello", "rest"),
    ]

    @Test("Bodies are decoded in place, in pieces of any size", arguments: bodies)
    func decodes(_ text: String, _ body: String, _ rest: String) {
        for piece in [1, 2, 3, 7, 1000] {
            #expect(decode(text, piece: piece) == Outcome(progress: .complete, body: body, rest: rest))
        }
    }

    private static let refused: [(String, RequestRefusal)] = [
        ("g\r\n", .malformed(.chunkSize)), ("\r\n", .malformed(.chunkSize)), ("+5\r\n", .malformed(.chunkSize)),
        ("0x5\r\n", .malformed(.chunkSize)), (" 5\r\n", .malformed(.chunkSize)), ("5 \r\n", .malformed(.chunkSize)),
        ("5\n", .malformed(.chunkSize)), ("5\r\r", .malformed(.chunkSize)),
        ("00000000000000000", .malformed(.chunkSize)),
        ("ffffffffffffffff\r\n", RequestRefusal(.bodyTooLarge)),
        ("7fffffffffffffff\r\n", RequestRefusal(.bodyTooLarge)),
        ("100001\r\n", RequestRefusal(.bodyTooLarge)),
        ("5;\r\n", .malformed(.chunkExtension)), ("5; a\r\n", .malformed(.chunkExtension)),
        ("5;a=\r\n", .malformed(.chunkExtension)), ("5;a=\"b\r\n", .malformed(.chunkExtension)),
        ("5;a=\"b\"c\r\n", .malformed(.chunkExtension)), ("5;a\n", .malformed(.chunkExtension)),
        ("2\r\nabc", .malformed(.chunkEnd)), ("2\r\nab\n", .malformed(.chunkEnd)),
        ("2\r\nab\r0", .malformed(.chunkEnd)),
        ("0\r\nX : a\r\n\r\n", .malformed(.trailer)), ("0\r\n\n", .malformed(.trailer)),
        ("0\r\nX: a\n", .malformed(.trailer)), ("0\r\nX: a\r\n b\r\n", .malformed(.trailer)),
        ("0\r\nX: \0\r\n", .malformed(.trailer)), ("0\r\n\rX", .malformed(.trailer)),
        ("5;" + String(repeating: "a", count: 256), RequestRefusal(.chunkExtensionTooLong)),
    ]

    @Test("Malformed framing is refused", arguments: refused)
    func refuses(_ text: String, _ refusal: RequestRefusal) {
        #expect(decode(text, piece: 1).progress == .refused(refusal))
        #expect(decode(text, piece: 1000).progress == .refused(refusal))
    }

    @Test("The body's limit counts all chunks, and the trailers have limits too")
    func limits() {
        var limits = HTTPLimits()
        limits.bodyBytesMax = 8
        limits.headBytesMax = 64
        limits.headFieldsMax = 3
        #expect(decode("5\r\nhello\r\n3\r\nabc\r\n0\r\n\r\n", piece: 9, limits: limits).progress == .complete)
        #expect(
            decode("5\r\nhello\r\n4\r\n", piece: 9, limits: limits).progress == .refused(RequestRefusal(.bodyTooLarge)))
        #expect(
            decode("0\r\na:\r\na:\r\na:\r\na:", piece: 9, limits: limits).progress
                == .refused(RequestRefusal(.tooManyFields)))
        let long = "0\r\na:" + String(repeating: "b", count: 64)
        #expect(decode(long, piece: 9, limits: limits).progress == .refused(RequestRefusal(.fieldsTooLong)))
    }
}
