import JSON
import Testing

@Suite("The parser")
struct ParserTests {
    struct Refused: Sendable, CustomTestStringConvertible {
        let bytes: [UInt8]
        let offset: Int
        let reason: String
        var testDescription: String { "\(reason): \(String(decoding: bytes, as: UTF8.self))" }

        init(_ text: String, _ offset: Int, _ reason: String) {
            self.init([UInt8](text.utf8), offset, reason)
        }

        init(_ bytes: [UInt8], _ offset: Int, _ reason: String) {
            (self.bytes, self.offset, self.reason) = (bytes, offset, reason)
        }
    }

    @Test("A syntax error has its offset and reason", arguments: structure + words + strings + numbers + utf8)
    func refuses(_ refused: Refused) {
        #expect(throws: JSONError(offset: refused.offset, reason: refused.reason)) {
            try JSONDocument(refused.bytes)
        }
    }

    static let structure: [Refused] = [
        Refused("", 0, "no value"),
        Refused(" \r\n\t", 4, "no value"),
        Refused("\u{FEFF}{}", 0, "a byte order mark"),
        Refused("[1,]", 2, "a trailing comma"),
        Refused(#"{"a":1 , }"#, 7, "a trailing comma"),
        Refused("[,1]", 1, "a missing value"),
        Refused("[1,,2]", 3, "a missing value"),
        Refused(#"{"a":}"#, 5, "a missing value"),
        Refused("[1 2]", 3, "an element without a comma after it"),
        Refused(#"{"a":1 "b":2}"#, 7, "a member without a comma after it"),
        Refused(#"{"a" 1}"#, 5, "a member name without a colon after it"),
        Refused("{a:1}", 1, "a member name that is not a string"),
        Refused(#"{"a":1,2}"#, 7, "a member name that is not a string"),
        Refused("{,}", 1, "a member name that is not a string"),
        Refused("[1}", 2, "a closing bracket without its opening one"),
        Refused(#"{"a":1]"#, 6, "a closing bracket without its opening one"),
        Refused("]", 0, "a missing value"),
        Refused("[1]]", 3, "something after the value"),
        Refused("{}\u{0}", 2, "something after the value"),
        Refused("1 2", 2, "something after the value"),
        Refused("[0, [1, 2", 9, "the end of the text, within the array that begins at byte 4"),
        Refused("[", 1, "the end of the text, within the array that begins at byte 0"),
        Refused("[1,", 3, "the end of the text, within the array that begins at byte 0"),
        Refused(#"[{"a":1,"#, 8, "the end of the text, within the object that begins at byte 1"),
        Refused(#"[{"a""#, 5, "the end of the text, within the object that begins at byte 1"),
        Refused(#"[{"a":"#, 6, "the end of the text, within the object that begins at byte 1"),
        Refused("{", 1, "the end of the text, within the object that begins at byte 0"),
        Refused("[1]//", 3, "something after the value"),
        Refused("[1/**/]", 2, "a comment"),
        Refused("[/**/1]", 1, "a comment"),
        Refused("\u{C}1", 0, "a character that cannot begin a value"),
        Refused("[1\u{A0}]", 2, "an element without a comma after it"),
    ]

    static let words: [Refused] = [
        Refused("tru", 0, "an unknown word"),
        Refused("[nul]", 1, "an unknown word"),
        Refused("True", 0, "an unknown word"),
        Refused("NaN", 0, "an unknown word"),
        Refused("-Infinity", 0, "a minus sign without a number"),
        Refused("truefalse", 4, "something after the value"),
        Refused("undefined", 0, "an unknown word"),
        Refused("'a'", 0, "a string in single quotation marks"),
    ]

    static let strings: [Refused] = [
        Refused(#"["abc"#, 5, "the end of the text, within the string that begins at byte 1"),
        Refused(#"""#, 1, "the end of the text, within the string that begins at byte 0"),
        Refused(#""\"#, 2, "the end of the text, within the string that begins at byte 0"),
        Refused("\"a\nb\"", 2, "a control character in a string"),
        Refused("\"0123456789\u{0}\"", 11, "a control character in a string"),
        Refused("\"0123456\u{1F}89\"", 8, "a control character in a string"),
        Refused(#""a\x""#, 2, "an unknown escape"),
        Refused(#""\U0041""#, 1, "an unknown escape"),
        Refused(#""\u12""#, 1, "an escape without four hexadecimal digits"),
        Refused(#""\u12G4""#, 1, "an escape without four hexadecimal digits"),
        Refused(#""\u+123""#, 1, "an escape without four hexadecimal digits"),
        Refused(#""\ud800""#, 1, "a lone surrogate"),
        Refused(#""\uDC00""#, 1, "a lone surrogate"),
        Refused(#""\ud83d\u0041""#, 1, "a lone surrogate"),
        Refused(#""\ud83dx""#, 1, "a lone surrogate"),
        Refused(#""\ude00\ud83d""#, 1, "a lone surrogate"),
        Refused(#""ok\ud83d\ud83d\ude00""#, 3, "a lone surrogate"),
    ]

    static let numbers: [Refused] = [
        Refused("01", 0, "a number with a leading zero"),
        Refused("[-012]", 2, "a number with a leading zero"),
        Refused("-", 0, "a minus sign without a number"),
        Refused("--1", 0, "a minus sign without a number"),
        Refused("+1", 0, "a number with a plus sign"),
        Refused(".5", 0, "a number without a digit before its point"),
        Refused("1.", 2, "a number without a digit after its point"),
        Refused("[1.e5]", 3, "a number without a digit after its point"),
        Refused("1e", 2, "a number without a digit in its exponent"),
        Refused("1E+", 3, "a number without a digit in its exponent"),
        Refused("0x10", 1, "something after the value"),
        Refused("1_000", 1, "something after the value"),
    ]

    static let utf8: [Refused] = [
        Refused([0x22, 0x80, 0x22], 1, "a byte that is not UTF-8"),
        Refused([0x22, 0xC0, 0xAF, 0x22], 1, "a byte that is not UTF-8"),
        Refused([0x22, 0xC1, 0xBF, 0x22], 1, "a byte that is not UTF-8"),
        Refused([0x22, 0xE0, 0x9F, 0xBF, 0x22], 1, "a byte that is not UTF-8"),
        Refused([0x22, 0xF0, 0x8F, 0xBF, 0xBF, 0x22], 1, "a byte that is not UTF-8"),
        Refused([0x22, 0x61, 0xED, 0xA0, 0x80, 0x22], 2, "a byte that is not UTF-8"),
        Refused([0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], 1, "a byte that is not UTF-8"),
        Refused([0x22, 0xF5, 0x80, 0x80, 0x80, 0x22], 1, "a byte that is not UTF-8"),
        Refused([0x22, 0xC3, 0x22], 1, "a byte that is not UTF-8"),
        Refused([0x22, 0xE2, 0x82, 0x22], 1, "a byte that is not UTF-8"),
        Refused([0x22, 0xE2, 0x82], 1, "a byte that is not UTF-8"),
        Refused([0x22, 0xC3], 1, "a byte that is not UTF-8"),
        Refused([0xFF], 0, "a byte that is not UTF-8"),
    ]

    @Test(
        "Accepts every scalar at the edges of UTF-8",
        arguments: [0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x10FFFF])
    func acceptsScalar(_ value: Int) throws {
        let scalar = try #require(Unicode.Scalar(UInt32(value)))
        #expect(try parse("\"0123456\(scalar)\"").string == "0123456\(scalar)")
    }

    @Test("The parser finds a character that a string must not contain, at every position")
    func everyPosition() {
        for length in 0..<40 {
            for byte: UInt8 in [0x00, 0x1F, 0x80, 0xFF] {
                var bytes = [UInt8](repeating: 0x61, count: length + 2)
                (bytes[0], bytes[length + 1]) = (0x22, 0x22)
                bytes.insert(byte, at: length / 2 + 1)
                let reason = byte < 0x20 ? "a control character in a string" : "a byte that is not UTF-8"
                #expect(throws: JSONError(offset: length / 2 + 1, reason: reason)) { try JSONDocument(bytes) }
            }
        }
    }

    @Test("Describes an error with its place")
    func description() {
        #expect("\(JSONError(offset: 17, reason: "a trailing comma"))" == "a trailing comma at byte 17")
    }
}
