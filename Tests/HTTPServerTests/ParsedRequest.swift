import Bytes

@testable import HTTPServer

/// The state of a parser after the bytes received so far.
enum ParseStatus: Equatable {
    case incomplete
    case complete
    case refused(RequestRefusal)

    /// Creates the state after a call of a parser, which returns whether it is complete.
    init(_ parse: () throws(RequestRefusal) -> Bool) {
        do throws(RequestRefusal) { self = try parse() ? .complete : .incomplete } catch { self = .refused(error) }
    }
}

/// Parses a text in pieces and returns the result.
func parse(_ text: String, piece: Int = .max, limits: HTTPLimits = HTTPLimits()) -> ParseStatus {
    var head = RequestHead(fieldsMax: limits.headFieldsMax)
    let bytes = latin1(text)
    var end = 0
    while true {
        end = piece == .max ? bytes.count : min(end + piece, bytes.count)
        let part = Array(bytes[..<end])
        let progress = ParseStatus { () throws(RequestRefusal) in try head.parse(part.span, limits) }
        if progress != .incomplete || end == bytes.count { return progress }
    }
}

/// Runs a check on a complete request without a body.
func withRequest<Result>(
    _ text: String, from transport: ConnectionTransport = .tcp(.loopback), _ check: (borrowing Request) -> Result
) -> Result? {
    var head = RequestHead(fieldsMax: 100)
    let bytes = latin1(text)
    guard (try? head.parse(bytes.span, HTTPLimits())) == true else { return nil }
    return withUnsafePointer(to: &head) { head in
        bytes.withUnsafeBytes { bytes in
            check(
                Request(
                    base: bytes.baseAddress!, head: head, connection: ConnectionID(loop: 0, slot: 0, generation: 1),
                    transport: transport))
        }
    }
}

/// Runs a check on a request with these fields.
func withFields<Result>(_ fields: String..., check: (borrowing Request) -> Result) -> Result? {
    withRequest("GET / HTTP/1.1\r\nHost: a\r\n" + fields.map { $0 + "\r\n" }.joined() + "\r\n", check)
}

/// Returns one byte per scalar, for bytes that are not UTF-8.
func latin1(_ text: String) -> [UInt8] { text.unicodeScalars.map { UInt8($0.value & 0xFF) } }

extension RawSpan {
    /// The bytes as text.
    var text: String { withUnsafeBytes { String(decoding: $0, as: UTF8.self) } }
}
