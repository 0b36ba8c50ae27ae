import JSON
import Testing

@Suite("Equality")
struct EqualityTests {
    @Test(
        "JSON equality ignores the way in which a value is written",
        arguments: [
            ("1", "1.0"), ("100", "1e2"), ("-0", "0"), ("0e9", "0.00"), ("0.5", "5E-1"), ("1e400", "1e400"),
            (#""A""#, #""\u0041""#), (" [ 1 , 2 ] ", "[1,2]"), (#"{"a":1,"b":[]}"#, #"{ "b": [], "\u0061": 1 }"#),
            (#"{"a":1,"a":2}"#, #"{"a":1,"a":2}"#), ("true", "true"), ("null", "null"),
            ("1234567890123456789012", "1234567890123456789012"), ("1e99999999999999999999", "1e99999999999999999999"),
        ])
    func equal(_ left: String, _ right: String) throws {
        #expect(try parse(left) == parse(right))
        #expect(try parse(right) == parse(left))
        #expect(try canonical(left) == canonical(right))
    }

    @Test(
        "JSON equality distinguishes every difference",
        arguments: [
            ("1", "2"), ("1", "-1"), ("1", #""1""#), ("true", "false"), ("null", "false"), ("[]", "{}"),
            ("[1,2]", "[2,1]"), ("[1]", "[1,1]"), (#"{"a":1}"#, #"{"a":2}"#), (#"{"a":1}"#, #"{"b":1}"#),
            (#"{"a":1}"#, #"{"a":1,"b":1}"#), (#"{"a":1,"a":2}"#, #"{"a":2,"a":1}"#), (#""é""#, "\"e\u{301}\""),
            ("1e9999999999999", "1e9999999999998"), ("9007199254740993", "9007199254740992"),
            ("1234567890123456789012", "1234567890123456789013"), ("0.1", "0.10000000000000001"),
        ])
    func different(_ left: String, _ right: String) throws {
        #expect(try parse(left) != parse(right))
        #expect(try parse(right) != parse(left))
        #expect(try canonical(left) != canonical(right))
    }

    private func canonical(_ text: String) throws -> [UInt8] {
        var bytes: [UInt8] = []
        try parse(text).appendCanonical(to: &bytes)
        return bytes
    }

    @Test(
        "JSON equality does not depend on the following text",
        arguments: [
            (#"[1e5,"aaaaaaaaaaaa"]"#, #"[1e51,"aa"]"#), (#"["a","b"]"#, #"["a1:b"]"#), (#"{"a":"b"}"#, #"["a","b"]"#),
            (#"[[],1]"#, #"[[1]]"#), (#"{"a":{"b":1}}"#, #"{"a":{},"b":1}"#),
        ])
    func boundaries(_ left: String, _ right: String) throws {
        #expect(try canonical(left) != canonical(right))
    }

    @Test("JSON equality of objects with many members is fast")
    func manyMembers() throws {
        let members = (0..<20_000).map { "\"m\($0)\":\($0)" }
        let left = try parse("{" + members.joined(separator: ",") + "}")
        let right = try parse("{" + members.reversed().joined(separator: ",") + "}")
        #expect(left == right)
    }
}
