import JSON
import Testing

@Suite("A value")
struct JSONValueTests {
    @Test(
        "A value knows its kind and returns nil for others",
        arguments: [
            ("{}", JSONValue.Kind.object), ("[]", .array), (#""1""#, .string), ("1", .number), ("true", .bool),
            ("null", .null),
        ])
    func kinds(_ text: String, _ kind: JSONValue.Kind) throws {
        let value = try parse(" \(text)\n")
        #expect(value.kind == kind)
        #expect(value.isNull == (kind == .null))
        #expect((value.bool != nil) == (kind == .bool))
        #expect((value.string != nil) == (kind == .string))
        #expect((value.integer != nil) == (kind == .number))
        #expect((value.double != nil) == (kind == .number))
        #expect(value.elements.isEmpty)
        #expect(value.members.isEmpty)
        #expect(value["a"] == nil)
        #expect(value.encoded == [UInt8](text.utf8))
        #expect(value.range == 1..<1 + text.utf8.count)
    }

    @Test(
        "Decodes every escape",
        arguments: [
            (#""""#, ""),
            (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"),
            (#""\u0041\u00e9\u20AC""#, "Aé€"),
            (#""\ud83d\udcd6 and \uD83D\uDCD6""#, "📖 and 📖"),
            (#""\udbff\udfff""#, "\u{10FFFF}"),
            (#""\u0000""#, "\0"),
            (#""a\\u0041""#, #"a\u0041"#),
            (#""plain, long enough for two words — 📖""#, "plain, long enough for two words — 📖"),
        ])
    func strings(_ text: String, _ expected: String) throws {
        let string = try #require(try parse(text).string)
        #expect(string.utf8.elementsEqual(expected.utf8))
    }

    @Test("Gives the elements of an array in order")
    func elements() throws {
        let value = try parse(#"[1, [2, {"x": [3]}], "4", null]"#)
        #expect(
            value.elements.map(\.encoded).map { String(decoding: $0, as: UTF8.self) }
                == ["1", #"[2, {"x": [3]}]"#, #""4""#, "null"])
    }

    @Test("Gives the members of an object in order, repeated ones too")
    func members() throws {
        let value = try parse(#"{"b": {"x": 1}, "a": [1, 2], "\u0062": 3, "": 4}"#)
        #expect(value.members.map(\.name) == ["b", "a", "b", ""])
        #expect(value.members.map(\.value.kind) == [.object, .array, .number, .number])
    }

    @Test("Finds the first member of a name, however the name is escaped")
    func lookup() throws {
        let value = try parse(#"{"on\u0065": 1, "one": 2, "two": {"one": 3}, "é": 4, "": 5}"#)
        #expect(value["one"]?.integer == 1)
        #expect(value["two"]?["one"]?.integer == 3)
        #expect(value["é"]?.integer == 4)
        #expect(value[""]?.integer == 5)
        #expect(value["three"] == nil)
        #expect(value["on"] == nil)
        #expect(value["e\u{301}"] == nil, "names are not normalised")
    }

    @Test("A value outlives its document")
    func lifetime() throws {
        var document: JSONDocument? = try JSONDocument([UInt8](#"{"a":["b"]}"#.utf8))
        let value = document?.root["a"]?.elements.first { _ in true }
        document = nil
        #expect(value?.string == "b")
    }
}
