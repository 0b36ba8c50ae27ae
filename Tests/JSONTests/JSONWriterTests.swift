import JSON
import Testing

@Suite("The writer")
struct JSONWriterTests {
    @Test("Writes commas where they belong")
    func commas() {
        let text = written { writer in
            writer.beginObject()
            writer.name("id")
            writer.string("a{")
            writer.name("list")
            writer.beginArray()
            writer.integer(1)
            writer.beginArray()
            writer.endArray()
            writer.beginObject()
            writer.endObject()
            writer.null()
            writer.bool(true)
            writer.bool(false)
            writer.string(ascii: "ascii")
            writer.raw([UInt8]("[1]".utf8))
            writer.endArray()
            writer.name("é\"" as String)
            writer.decimal(millionths: 430_000)
            writer.name("last")
            writer.beginObject()
            writer.endObject()
            writer.endObject()
        }
        #expect(
            text == #"{"id":"a{","list":[1,[],{},null,true,false,"ascii",[1]],"é\"":0.43,"last":{}}"#)
    }

    @Test("Writes no comma after a prefix", arguments: ["data: ", "id: 1\n"])
    func prefix(_ prefix: String) {
        #expect(
            written { writer in
                writer.bytes.append(contentsOf: prefix.utf8)
                writer.beginObject()
                writer.endObject()
            } == prefix + "{}")
    }

    @Test(
        "Escapes what must be escaped and nothing else",
        arguments: [
            ("", #""""#), ("Emma", #""Emma""#), ("\"", #""\"""#), ("\\", #""\\""#), ("/", #""/""#),
            ("\u{8}\u{9}\u{A}\u{C}\u{D}", #""\b\t\n\f\r""#), ("\u{0}\u{1}\u{1F}", #""\u0000\u0001\u001f""#),
            ("\u{7F}\u{2028}é📖", "\"\u{7F}\u{2028}é📖\""), ("0123456789\"0123456789", #""0123456789\"0123456789""#),
            ("01234567\n", #""01234567\n""#), ("\n01234567", #""\n01234567""#), ("éééééééé\"é", #""éééééééé\"é""#),
        ])
    func escapes(_ value: String, _ expected: String) {
        #expect(written { $0.string(value) } == expected)
        #expect(written { $0.name(value) } == expected + ":")
    }

    @Test("Escapes at every position of every length")
    func everyPosition() throws {
        for length in 1..<40 {
            for position in 0..<length {
                for scalar: Unicode.Scalar in ["\"", "\\", "\u{0}", "\u{1F}", "\u{20}", "\u{7F}", "\u{80}", "\u{FF}"] {
                    var scalars = [Unicode.Scalar](repeating: "x", count: length)
                    scalars[position] = scalar
                    let value = String(String.UnicodeScalarView(scalars))
                    #expect(try parse(written { $0.string(value) }).string == value)
                }
            }
        }
    }

    @Test(
        "Writes whole numbers",
        arguments: [0, 1, -1, 9, 10, 99, 100, 12_345, -1_000_000, .max, .min, .max - 1, .min + 1] as [Int64])
    func integers(_ value: Int64) throws {
        #expect(written { $0.integer(value) } == "\(value)")
        #expect(written { $0.integer(Int(value)) } == "\(value)")
        #expect(try parse(written { $0.integer(value) }).integer == value)
    }

    @Test(
        "Writes millionths as the shortest decimal",
        arguments: [
            (0, "0"), (1, "0.000001"), (10, "0.00001"), (430_000, "0.43"), (500_000, "0.5"), (999_999, "0.999999"),
            (100_000, "0.1"), (1_000_000, "1"), (1_000_001, "1.000001"), (12_500_000, "12.5"), (-1, "-0.000001"),
            (-1_500_000, "-1.5"), (.max, "9223372036854.775807"), (.min, "-9223372036854.775808"),
        ])
    func decimals(_ millionths: Int, _ expected: String) {
        #expect(written { $0.decimal(millionths: millionths) } == expected)
    }

    @Test("Writes encoded bytes as they are, from wherever they come")
    func raw() {
        let bytes = [UInt8]("[1]".utf8)
        #expect(
            written { writer in
                writer.beginArray()
                writer.raw(bytes)
                bytes.withUnsafeBufferPointer { writer.raw($0) }
                writer.endArray()
            } == "[[1],[1]]")
    }

    @Test("Writes a parsed value on one line")
    func values() throws {
        let value = try parse("{ \"a\" :\n[ 1.0 , \"\\u0041\\n\" , { } ],\r\n\t\"b\": -0e1 }")
        #expect(written { $0.value(value) } == #"{"a":[1.0,"A\n",{}],"b":-0e1}"#)
    }

    @Test("A control character is found at every place of a text of any length")
    func controlCharacters() {
        for count in 0...20 {
            for other in [0x20, 0x22, 0x5C, 0x7F, 0x80, 0x9F, 0xFF] as [UInt8] {
                let plain = [UInt8](repeating: other, count: count)
                #expect(!plain.withUnsafeBufferPointer { EightByteWord.hasControlCharacter($0) })
                for place in 0..<count {
                    for control in [0x00, 0x0A, 0x1F] as [UInt8] {
                        var text = plain
                        text[place] = control
                        #expect(text.withUnsafeBufferPointer { EightByteWord.hasControlCharacter($0) })
                    }
                }
            }
        }
    }
}
