import SharedByTests
import Testing

@testable import LecternClient

@Suite("The event stream format of WHATWG HTML 9.2")
struct EventParserTests {
    struct Row: Sendable {
        let stream: String
        let blocks: [EventBlock]
        var lastID = ""
        var retry: Int?
    }

    static func event(_ data: String?, _ name: String = "message", id: String? = nil, last: String? = nil)
        -> EventBlock
    {
        EventBlock(name: name, data: data.map { Array($0.utf8) }, hasID: id != nil, lastID: last ?? id ?? "")
    }

    static let rows: [Row] = [
        Row(stream: "", blocks: []),
        Row(stream: "data: a\n\n", blocks: [event("a")]),
        Row(stream: "data: a\r\n\r\n", blocks: [event("a")]),
        Row(stream: "data: a\r\r", blocks: [event("a")]),
        Row(stream: "data: a\r\n\rdata: b\n\r\n", blocks: [event("a"), event("b")]),
        Row(stream: "event: x\r\ndata: a\r\ndata: b\r\n\r\n", blocks: [event("a\nb", "x")]),
        Row(stream: "event: x\rdata: a\rdata: b\r\r", blocks: [event("a\nb", "x")]),
        // A block without an empty line at its end is incomplete.
        Row(stream: "data: a\n", blocks: []),
        Row(stream: "id: 7\ndata: a\n", blocks: []),
        Row(stream: "data: a\n\ndata: b", blocks: [event("a")]),
        Row(stream: "\u{FEFF}data: a\n\n", blocks: [event("a")]),
        // Only one byte order mark at the beginning is not part of the text.
        Row(stream: "\u{FEFF}\u{FEFF}data: a\n\ndata: b\n\n", blocks: [event("b")]),
        Row(stream: "data: b\n\n\u{FEFF}data: a\n\n", blocks: [event("b")]),
        Row(stream: "\u{FEFF}\n\ndata: a\n\n", blocks: [event("a")]),
        Row(stream: ": a comment\n:\n\n:data: x\ndata: a\n\n", blocks: [event("a")]),
        Row(stream: "data: a\ndata: b\ndata\ndata:\n\n", blocks: [event("a\nb\n\n")]),
        Row(stream: "data\n\n", blocks: [event("")]),
        Row(stream: "data:\n\n", blocks: [event("")]),
        Row(stream: "data:a\n\ndata:  a\n\ndata: a: b\n\n", blocks: [event("a"), event(" a"), event("a: b")]),
        Row(stream: "event: x\n\ndata: a\n\n", blocks: [event("a")]),
        Row(stream: "event: x\ndata: a\n\ndata: b\n\n", blocks: [event("a", "x"), event("b")]),
        Row(stream: "event: x\nevent\ndata: a\n\n", blocks: [event("a")]),
        Row(stream: "Event: x\n data: y\ndatax: z\nnothing\ndata: a\n\n", blocks: [event("a")]),
        Row(
            stream: "id: 1\ndata: a\n\ndata: b\n\nid: 2\ndata: c\n\n",
            blocks: [event("a", id: "1"), event("b", last: "1"), event("c", id: "2")], lastID: "2"),
        Row(
            stream: "id: 1\ndata: a\n\nid\ndata: b\n\n", blocks: [event("a", id: "1"), event("b", id: "")], lastID: ""),
        Row(stream: "id: 1\u{0}2\ndata: a\n\n", blocks: [event("a")]),
        Row(stream: "id: 1\nid: 2\u{0}\ndata: a\n\n", blocks: [event("a", id: "1")], lastID: "1"),
        // This is not an event, but a cursor to resume from.
        Row(stream: "id: 9\nevent: bookmark\n\n", blocks: [event(nil, "bookmark", id: "9")], lastID: "9"),
        Row(stream: "id: 1\ndata: a\n\nid: 2\ndata: b", blocks: [event("a", id: "1")], lastID: "1"),
        Row(stream: "retry: 2500\ndata: a\n\n", blocks: [event("a")], retry: 2500),
        Row(stream: "retry: 2500\n", blocks: [], retry: 2500),
        Row(stream: "retry: 1\nretry: -1\nretry: 1x\nretry\nretry: \nretry: ٣\n", blocks: [], retry: 1),
        Row(stream: "retry: 99999999999999999999999\n", blocks: [], retry: .max),
        Row(stream: "data: é€😀\r\n\r\n", blocks: [event("é€😀")]),
    ]

    @Test("The parser returns the same events for a stream split at any byte", arguments: rows)
    func events(_ row: Row) throws {
        let bytes = Array(row.stream.utf8)
        for cut in 0...bytes.count {
            var parser = EventParser()
            let blocks = try parser.take(bytes[..<cut]) + parser.take(bytes[cut...])
            #expect(blocks == row.blocks && parser.lastID == row.lastID, "cut at \(cut)")
            #expect(parser.retryMilliseconds == row.retry, "cut at \(cut)")
        }
        var parser = EventParser()
        #expect(try bytes.flatMap { byte in try parser.take([byte]) } == row.blocks)
    }

    @Test("Any bytes in any pieces give the same events as in one")
    func random() throws {
        let alphabet = Array("\r\n\r\n\r\n: :dataideventretry\u{0}\u{FEFF}17x".utf8)
        var random = SeededGenerator(seed: 17)
        for _ in 0..<2000 {
            let bytes = (0..<Int.random(in: 0...60, using: &random)).map { _ in alphabet.randomElement(using: &random)!
            }
            var (whole, pieces) = (EventParser(), EventParser())
            var rest = bytes[...]
            var blocks: [EventBlock] = []
            while !rest.isEmpty {
                let count = Int.random(in: 1...rest.count, using: &random)
                blocks += try pieces.take(rest.prefix(count))
                rest = rest.dropFirst(count)
            }
            #expect(try whole.take(bytes) == blocks && whole.lastID == pieces.lastID)
            #expect(whole.retryMilliseconds == pieces.retryMilliseconds)
        }
    }

    @Test("Lines without an end are not held for ever")
    func endless() throws {
        var parser = EventParser(bytesMax: 100)
        #expect(throws: EventParser.TooLong.self) {
            _ = try parser.take(Array(repeating: UInt8(ascii: "x"), count: 101))
        }
        parser = EventParser(bytesMax: 100)
        #expect(throws: EventParser.TooLong.self) {
            for _ in 0..<30 { _ = try parser.take(Array("data: 1234\n".utf8)) }
        }
    }
}
