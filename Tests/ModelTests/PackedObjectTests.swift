import JSON
import SharedByTests
import Testing

@testable import Model

/// Tests of the packed form of the log's values.
@Suite("The packed form of JSON objects")
struct PackedObjectTests {
    private static let id = ResourceID("01a21927-97e2-7cde-a5fb-cb7d964ac8b6")!
    private static let reading = #"""
        {"id":"01a21927-97e2-7cde-a5fb-cb7d964ac8b6","version":2006,"reader":"01a21927-96cb-761f-88c9-ea73656ce187",\#
        "book":"01a21927-97c2-718e-82bf-9d43c6e5f875","number":1,"isReread":false,"state":"reading",\#
        "isFinished":false,"progress":0.003333,"page":1,"pageCount":300,\#
        "latestEntry":"01a21927-9846-79b4-8d9c-0411a55809df","latestEntryAt":"2026-11-26T18:39:15.014Z",\#
        "finishedAt":null,"createdAt":"2026-11-26T18:39:14.914Z","updatedAt":"2026-11-26T18:39:15.015Z"}
        """#

    private func pack(_ text: String, seq: Int64 = 2006) -> [UInt8] {
        PackedObject.pack(Array(text.utf8), id: Self.id, seq: seq)
    }

    private func unpack(_ packed: [UInt8], seq: Int64 = 2006) -> String? {
        packed.withUnsafeBytes { PackedObject.unpack($0, id: Self.id, seq: seq) }.map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    @Test(
        "An object has the same text after packing and unpacking",
        arguments: [
            reading, "{}", #"{"page":null}"#, #"{"note":"","device":"a \"phone\" \\"}"#, #"{"note":"\u00e9\n\\\""}"#,
            #"{"note":"Größe, 本, 🙂"}"#, #"{"note":"01A21927-97E2-7CDE-A5FB-CB7D964AC8B6"}"#,
            #"{"note":"01a21927-97e2-7cde-a5fb-cb7d964ac8bg"}"#, #"{"note":"01a2192797e2-7cde-a5fb-cb7d964ac8b60-"}"#,
            #"{"note":"2026-02-31T00:00:00.000Z"}"#, #"{"note":"2026-01-31T24:00:00.000Z"}"#,
            #"{"note":"2026-01-31T23:59:60.000Z"}"#, #"{"note":"1969-12-31T23:59:59.999Z"}"#,
            #"{"note":"2026-01-31T23:59:59.999z"}"#, #"{"note":"9999-12-31T23:59:59.999Z"}"#,
            #"{"note":"1970-01-01T00:00:00.000Z"}"#, #"{"page":0,"number":-1,"version":2006}"#,
            #"{"page":1e3,"number":1.5,"progress":0.0,"pageCount":0.000001}"#, #"{"progress":0.10}"#,
            #"{"page":9223372036854775807}"#, #"{"page":999999999999999999,"number":18446744073709551615}"#,
            #"{"page":007,"number":0.}"#, #"{"position":{"chapter":3,"within":0.5,"name":"}]\"{["},"page":1}"#,
            #"{"absent":["note","a,b"],"page":[[],{}]}"#, #"{"updatedAt":1,"id":"x","updatedAt":2}"#,
            #"{"anything":true,"else":false,"":null,"na\"me":0}"#, #"{,"page":1}"#, #"{"page":1,"page"}"#,
            #"{"page": 1}"#, "{\"page\":1}\n", "[]", "", "{",
            #"{"page"}"#, #"{"page":}"#, #"{"page":nul}"#, #"{"note":"\"#, #"{"page":1,}"#,
        ])
    func roundTrip(text: String) {
        #expect(unpack(pack(text)) == text)
    }

    @Test("A reading takes about a quarter of its text")
    func size() {
        #expect(pack(Self.reading).count * 15 < Self.reading.utf8.count * 4)
    }

    @Test("The stored form of an object never changes")
    func pinned() {
        let text = #"{"id":"\#(Self.id)","version":7,"progress":0.05,"page":300,"note":"a","odd":[1]}"#
        #expect(
            pack(text, seq: 7) == Array("{\u{0}".utf8) + [0xF9, 1, 0xFB]
                + Array("\u{9}0.05\u{A}300\u{C}\"a\",\"odd\":[1]}".utf8))
        let times =
            #"{"state":"reading","createdAt":"\#(Self.time)","latestEntry":"\#(Self.other)","#
            + #""latestEntryAt":"2026-11-26T18:39:15.014Z","updatedAt":"2026-11-26T18:39:15.015Z"}"#
        #expect(
            pack(times) == Array("{".utf8) + [7, 0x1D, 4, 23, 0x1E, 14, 0xF8] + Self.other.idBytes + [
                15, 0x1F, 24, 0xFA,
            ]
                + [0x01, 0xA2, 0x19, 0x27, 0x98, 0x47] + Array("}".utf8))
        #expect(unpack(pack(times)) == times)
    }

    /// The time in the id, and another id.
    private static let time = Instant(milliseconds: id.milliseconds)
    private static let other = ResourceID("01a21927-9846-79b4-8d9c-0411a55809df")!

    @Test("Times in the form that was stored before tokens for times in ids are read")
    func older() {
        let packed = Array("{".utf8) + [23, 0xFA, 0x01, 0xA2, 0x19, 0x27, 0x97, 0xE2] + Array("}".utf8)
        #expect(unpack(packed) == #"{"createdAt":"\#(Self.time)"}"#)
    }

    @Test("The names of readings and entries take one byte")
    func names() {
        let known = Set(PackedObject.names.map { String(decoding: $0, as: UTF8.self) })
        for kind in [ResourceKind.reading, .entry] {
            for name in kind.fieldNames { #expect(known.contains("\(name)"), "\(kind): \(name)") }
        }
        #expect(Set(PackedObject.nameKeys).count == PackedObject.names.count)
    }

    @Test("Random objects are restored, and damaged bytes never trap")
    func random() {
        var random = SeededGenerator(seed: 20_261_126)
        func value(_ depth: Int) -> String {
            switch Int.random(in: 0..<9, using: &random) {
            case 0: return "null"
            case 1: return "\(Bool.random(using: &random))"
            case 2:
                return "\(Int64.random(in: 0...Int64.max, using: &random) >> Int64.random(in: 0..<63, using: &random))"
            case 3: return "0.\(Int.random(in: 0..<1_000_000, using: &random))"
            case 4: return "\"\(ResourceID(high: random.next(), low: random.next()))\""
            case 5:
                return
                    "\"\(Instant(milliseconds: Int64.random(in: -1_000_000_000...4_000_000_000_000, using: &random)))\""
            case 6 where depth < 3: return "[\(value(depth + 1)),\(value(depth + 1))]"
            case 7 where depth < 3: return "{\"a\":\(value(depth + 1))}"
            default: return #""\\\#(["\"", "\\", "n"].randomElement(using: &random)!)x""#
            }
        }
        for _ in 0..<2000 {
            let names = ["id", "note", "page", "updatedAt", "version", "other"].shuffled(using: &random)
            let text =
                "{\(names.prefix(Int.random(in: 0...6, using: &random)).map { "\"\($0)\":\(value(0))" }.joined(separator: ","))}"
            var packed = pack(text)
            #expect(unpack(packed) == text)
            guard !packed.isEmpty else { continue }
            packed[Int.random(in: 0..<packed.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            packed.removeLast(Int.random(in: 0..<packed.count, using: &random))
            _ = unpack(packed)
        }
    }
}

extension ResourceID {
    fileprivate var idBytes: [UInt8] { withBytes { Array($0) } }
}
