import Bytes
import Testing

@testable import HTTPServer

@Suite("Field values")
struct FieldTests {
    private static let qualities: [(String?, Int)] = [
        (nil, 1000), ("*/*", 1000), ("application/json", 1000), ("application/*;q=0.5", 500), ("text/html", 0),
        ("application/json;q=0", 0), ("*/*, application/json;q=0.2", 200), ("Application/JSON; Q=0.25", 250),
        ("application/json;q=2", 0), ("application/json;q=0.1234", 0), ("application/json;charset=utf-8;q=0.3", 300),
        ("", 0), (",,", 0), ("text/html, application/json;q=0.9", 900), ("application/json;q=1.001", 0),
        ("text/x;a=\",application/json\"", 0),
    ]

    @Test("The most specific range of Accept decides", arguments: qualities)
    func accept(_ value: String?, _ expected: Int) {
        let fields = value.map { "Accept: \($0)" } ?? "X: y"
        #expect(withFields(fields) { MediaType.quality("application/json", $0) } == expected)
    }

    @Test("Only the name text/event-stream asks for a stream")
    func isNamed() {
        #expect(withFields("Accept: */*") { MediaType.isNamed("text/event-stream", $0) } == false)
        #expect(withFields("Accept: text/event-stream") { MediaType.isNamed("text/event-stream", $0) } == true)
        #expect(withFields("Accept: text/event-stream;q=0") { MediaType.isNamed("text/event-stream", $0) } == false)
    }

    @Test("A content type is compared without its parameters")
    func contentType() {
        for (value, expected) in [
            ("application/json", true), ("Application/Json; charset=utf-8", true), ("application/jsonp", false),
            ("application/json ;x=y", true), ("", false), (";application/json", false),
        ] {
            let bytes = [UInt8](value.utf8)
            #expect(MediaType.matches(bytes.span.bytes, "application/json") == expected, "\(value)")
        }
    }

    private static let tagLists: [(String, weakly: Bool, strongly: Bool)] = [
        ("\"a-1\"", true, true), ("\"a-2\"", false, false), ("*", true, true), ("W/\"a-1\"", true, false),
        ("\"x\", \"a-1\"", true, true), ("a-1", false, false), ("\"x,\"a-1\"\"", false, false),
        ("\"a-1", false, false), ("\"", false, false), ("W/\"", false, false), ("", false, false),
        ("\"a-1\",", true, true),
    ]

    @Test("Entity tags compare weakly or strongly", arguments: tagLists)
    func entityTags(_ value: String, _ weakly: Bool, _ strongly: Bool) {
        let tag = [UInt8]("\"a-1\"".utf8)
        #expect(
            withFields("If-None-Match: \(value)") { EntityTagPrecondition.ifNoneMatch($0, has: tag.span.bytes) }
                == weakly)
        var strong: [String] = []
        let listed = withFields("If-Match: \(value)") {
            EntityTagPrecondition.each(in: "if-match", of: $0) { tag, isWeak in if !isWeak { strong.append(tag.text) } }
        }
        #expect((listed == .any || strong.contains("\"a-1\"")) == strongly)
        #expect(withFields("X: y") { EntityTagPrecondition.each(in: "if-match", of: $0) { _, _ in } } == .absent)
    }

    @Test("Preferences are read, and nonsense is ignored")
    func prefer() {
        #expect(withFields("Prefer: wait=20") { PreferField.wait($0, max: 30) } == 20)
        #expect(withFields("Prefer: wait = \"20\" ; x") { PreferField.wait($0, max: 30) } == 20)
        #expect(withFields("Prefer: respond-async, Wait=90; x") { PreferField.wait($0, max: 30) } == 30)
        for (value, seconds) in [("wait=\"20\"; x", 20), ("wait=\"\"", nil), ("wait=\"", nil), ("wait=\"2", nil)]
            as [(String, Int?)]
        {
            #expect(withFields("Prefer: \(value)") { PreferField.wait($0, max: 30) } == .some(seconds), "\(value)")
        }
        #expect(withFields("Prefer: wait=-1", "Prefer: wait=5") { PreferField.wait($0, max: 30) } == 5)
        #expect(withFields("Prefer: wait=9999999999999999999") { PreferField.wait($0, max: 30) } == 30)
        #expect(withFields("Prefer: wait=99999999999999999999x") { PreferField.wait($0, max: 30) } == .some(nil))
        #expect(withFields("Prefer: wait") { PreferField.wait($0, max: 30) } == .some(nil))
        for (value, isMinimal) in [
            ("return=minimal", true), ("wait=1, Return=\"minimal\"; x", true), ("return=minimal, return=other", true),
            ("return=representation, return=minimal", false), ("return", false), ("returns=minimal", false),
        ] {
            #expect(withFields("Prefer: \(value)") { PreferField.returnsMinimal($0) } == isMinimal, "\(value)")
        }
    }

    @Test("A bearer token is what follows the scheme")
    func bearer() {
        for (value, expected) in [
            ("Bearer abc", "abc"), ("bearer  abc", "abc"), ("Basic abc", nil), ("Bearer", nil), ("Bearer ", nil),
            ("Bearerabc", nil),
        ] as [(String, String?)] {
            let bytes = [UInt8](value.utf8)
            #expect(AuthorizationField.bearer(bytes.span.bytes)?.text == expected, "\(value)")
        }
    }

    @Test("Numbers are digits, and bounded")
    func digits() {
        for (value, expected) in [
            ("0", 0), ("007", 7), ("100", 100), ("101", nil), ("", nil), ("-1", nil), ("+1", nil), ("1 ", nil),
            ("0x1", nil), ("99999999999999999999999", nil),
        ] as [(String, Int?)] {
            let bytes = [UInt8](value.utf8)
            #expect(DigitParser.decimal(bytes.span.bytes, max: 100) == expected, "\(value)")
        }
    }
}
