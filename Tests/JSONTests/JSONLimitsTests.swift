import JSON
import Testing

@Suite("The limits")
struct JSONLimitsTests {
    static func nested(_ depth: Int) -> String {
        String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }

    @Test("64 levels are accepted, 65 refused where the last one opens")
    func depth() throws {
        #expect(try parse(Self.nested(64)).kind == .array)
        let error = JSONError(offset: 64, reason: "more than 64 arrays and objects in each other")
        #expect(throws: error) { try parse(Self.nested(65)) }
        #expect(throws: error) { try parse(String(repeating: "[", count: 1_000_000)) }
    }

    @Test("The depth counts what is open, not what there was")
    func depthIsNotACount() throws {
        let text = "[" + Array(repeating: "[]", count: 1000).joined(separator: ",") + "]"
        #expect(try parse(text, limits: JSONLimits(depthMax: 2)).elements.map(\.kind).count == 1000)
    }

    @Test("No setting allows a depth that would endanger whoever walks the document")
    func depthCeiling() throws {
        let limits = JSONLimits(depthMax: .max)
        #expect(limits.depthMax == 512)
        let value = try parse(Self.nested(512), limits: limits)
        let written = written { $0.value(value) }
        #expect(try parse(written, limits: limits) == value)
        #expect(throws: JSONError.self) { try parse(Self.nested(513), limits: limits) }
    }

    @Test("A text may be as long as its limit")
    func length() throws {
        let limits = JSONLimits(bytesMax: 5)
        #expect(try parse("[1,2]", limits: limits).kind == .array)
        #expect(throws: JSONError(offset: 5, reason: "a text of more than 5 bytes")) {
            try parse("[1,2] ", limits: limits)
        }
    }

    @Test("A number may be as long as its limit")
    func number() throws {
        let digits = String(repeating: "9", count: 256)
        #expect(try parse(digits).encoded == [UInt8](digits.utf8))
        #expect(throws: JSONError(offset: 1, reason: "a number of more than 256 bytes")) { try parse("[\(digits)9]") }
    }

    @Test("Values are counted, and so are names of members")
    func values() throws {
        #expect(try parse(#"{"a":[1]}"#, limits: JSONLimits(valuesMax: 4)).kind == .object)
        #expect(throws: JSONError(offset: 6, reason: "more than 3 values")) {
            try parse(#"{"a":[1]}"#, limits: JSONLimits(valuesMax: 3))
        }
        #expect(throws: JSONError(offset: 1, reason: "more than 1 values")) {
            try parse(#"{"a":[1]}"#, limits: JSONLimits(valuesMax: 1))
        }
    }

    @Test("Settings outside their range are moved to its end")
    func clamped() {
        let none = JSONLimits(depthMax: .min, bytesMax: .min, numberBytesMax: .min, valuesMax: .min)
        #expect(none == JSONLimits(depthMax: 1, bytesMax: 1, numberBytesMax: 1, valuesMax: 1))
        let all = JSONLimits(depthMax: .max, bytesMax: .max, numberBytesMax: .max, valuesMax: .max)
        #expect(all.bytesMax == 2_147_483_647)
        #expect(all.valuesMax == 2_147_483_647)
    }
}
