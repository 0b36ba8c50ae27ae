import JSON
import SharedByTests
import Testing

@Suite("Hostile texts")
struct FuzzTests {
    /// The well-formed texts to mutate: the suite's if it is present, and some that cover every branch.
    static let seeds: [[UInt8]] =
        JSONTestSuite.accepted.map(\.bytes)
        + [
            #"{"title":"Middlemarch \ud83d\udcd6","authors":["George Eliot","é"],"pageCount":904,"progress":0.43}"#,
            #"[[[{"a":{"a":[1e5,-0.0,12345678901234567890123,true,false,null,"\u0000\"\\\/\b"]}}]]]"#,
            "  {\"note\" : \"a line\\nanother\\tone\" ,\n\"text\":\"0123456789abcdef0123456789abcdef\"}\r\n",
        ].map { [UInt8]($0.utf8) }

    /// The texts that mutations take parts from, including malformed ones.
    static let parts = seeds + JSONTestSuite.rejected.map { [UInt8]($0.bytes.prefix(2000)) }

    @Test(
        "Hostile texts never trap, and an accepted one equals its written form", arguments: 1...8 as ClosedRange<UInt64>
    )
    func mutations(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var accepted = 0
        for _ in 0..<2500 {
            let from = Bool.random(using: &random) ? Self.seeds : Self.parts
            let bytes = Self.mutated(from.randomElement(using: &random) ?? [], using: &random)
            do throws(JSONError) {
                let document = try JSONDocument(bytes)
                try Self.check(document.root)
                accepted += 1
            } catch {
                #expect((0...bytes.count).contains(error.offset))
                #expect(!error.reason.isEmpty)
            }
        }
        #expect(accepted > 100, "the mutations should leave some texts well-formed")
    }

    private static func check(_ value: JSONValue) throws(JSONError) {
        var writer = JSONWriter()
        writer.value(value)
        #expect(!writer.bytes.contains(0x0A))
        let again = try JSONDocument(writer.bytes).root
        #expect(again == value)
        touch(value)
        var decoder = ObjectDecoder(value)
        _ = decoder.string("title", length: 1...20)
        _ = decoder.integer("a", in: 0...10)
        _ = decoder.number("progress", in: 0...1)
        _ = decoder.strings("authors", count: 1...3, length: 1...10)
        _ = decoder.bool("")
        #expect(decoder.finish().count <= ObjectDecoder.violationsMax)
    }

    /// Reads everything that a value offers.
    private static func touch(_ value: JSONValue) {
        _ = (value.integer, value.double, value.bool, value["a"])
        #expect(value.range.count == value.encoded.count)
        #expect(value.string?.utf8.count ?? 0 <= value.range.count)
        for element in value.elements { touch(element) }
        for member in value.members { touch(member.value) }
    }

    private static func mutated(_ seed: [UInt8], using random: inout SeededGenerator) -> [UInt8] {
        var bytes = seed
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            let place = Int.random(in: 0...bytes.count, using: &random)
            let end = min(bytes.count, place + Int.random(in: 0...6, using: &random))
            switch Int.random(in: 0..<6, using: &random) {
            case 0: bytes.replaceSubrange(place..<end, with: [])
            case 1: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
            case 2: bytes.insert(Array("{}[]:,\"\\u0eE+-. \n".utf8).randomElement(using: &random) ?? 0, at: place)
            case 3: bytes.insert(contentsOf: bytes[place..<end], at: place)
            case 4: bytes.insert(contentsOf: parts.randomElement(using: &random) ?? [], at: place)
            default: if place < bytes.count { bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &random) }
            }
        }
        return bytes
    }
}
