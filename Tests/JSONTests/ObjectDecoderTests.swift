import JSON
import Testing

@Suite("The object decoder")
struct ObjectDecoderTests {
    static func violation(_ pointer: String, _ detail: String) -> Violation {
        Violation(pointer: pointer, detail: detail)
    }

    /// Decodes a book-like object and returns the violations as lines.
    static func violations(of text: String) throws -> [String] {
        var decoder = ObjectDecoder(try parse(text))
        if decoder.string("title", length: 1...10) == .absent { decoder.missing("title") }
        _ = decoder.integer("pageCount", in: 1...5000)
        _ = decoder.number("progress", in: 0...1)
        _ = decoder.bool("isReread")
        _ = decoder.strings("authors", count: 0...3, length: 1...5)
        _ = decoder.string("note", length: 0...20, multiline: true)
        return decoder.finish().map { "\($0.pointer) \($0.detail)" }
    }

    @Test("The decoder returns valid members")
    func decodes() throws {
        let text =
            #"{"title":"Emma","pageCount":474.0,"progress":0.43,"isReread":true,"authors":["Jane"],"note":"a\n\tb"}"#
        var decoder = ObjectDecoder(try parse(text))
        #expect(decoder.string("title", length: 4...4) == .value("Emma"))
        #expect(decoder.integer("pageCount", in: 474...474) == .value(474))
        #expect(decoder.number("progress", in: 0...1) == .value(0.43))
        #expect(decoder.bool("isReread") == .value(true))
        #expect(decoder.strings("authors", count: 1...1, length: 1...4) == .value(["Jane"]))
        #expect(decoder.value("note").value?.string == "a\n\tb")
        #expect(decoder.finish() == [])
    }

    @Test("Tells absent, null and invalid apart")
    func absence() throws {
        var decoder = ObjectDecoder(try parse(#"{"a":null,"b":1}"#))
        #expect(decoder.string("a", length: 0...9) == .null)
        #expect(decoder.string("b", length: 0...9) == .invalid)
        #expect(decoder.string("c", length: 0...9) == .absent)
        #expect(decoder.strings("a", count: 0...9, length: 0...9) == .null)
        #expect(decoder.value("a") == .null)
        #expect(decoder.value("b").value?.integer == 1)
        #expect(decoder.finish() == [Self.violation("/b", "must be a string")])
    }

    @Test(
        "The decoder names the violation and its pointer",
        arguments: [
            (#"{"title":"Emma"}"#, []),
            ("[]", [" must be an object"]),
            ("null", [" must be an object"]),
            ("{}", ["/title is required"]),
            (#"{"title":1}"#, ["/title must be a string"]),
            (#"{"title":""}"#, ["/title must be 1 to 10 characters long"]),
            (#"{"title":"Middlemarch"}"#, ["/title must be 1 to 10 characters long"]),
            (#"{"title":"ééééééé📖📖📖"}"#, []),
            (#"{"title":"a\u0000"}"#, ["/title must not contain control characters"]),
            (#"{"title":"a\nb"}"#, ["/title must not contain control characters"]),
            (#"{"title":"a\u009b2J"}"#, ["/title must not contain control characters"]),
            (#"{"title":"a\u007f"}"#, ["/title must not contain control characters"]),
            (#"{"title":"a\u2028b"}"#, ["/title must not contain control characters"]),
            (#"{"title":"a\u00a0b","note":"a\u2028b"}"#, []),
            (
                #"{"title":"a","note":"\u009b2J"}"#,
                ["/note must not contain control characters other than line feeds and tabs"]
            ),
            (
                #"{"title":"a","note":"\r"}"#,
                ["/note must not contain control characters other than line feeds and tabs"]
            ),
            (#"{"title":"a","note":"123456789012345678901"}"#, ["/note must be at most 20 characters long"]),
            (#"{"title":"a","pageCount":0}"#, ["/pageCount must be a whole number from 1 to 5000"]),
            (#"{"title":"a","pageCount":1.5}"#, ["/pageCount must be a whole number from 1 to 5000"]),
            (#"{"title":"a","pageCount":"1"}"#, ["/pageCount must be a whole number from 1 to 5000"]),
            (#"{"title":"a","pageCount":1e999}"#, ["/pageCount must be a whole number from 1 to 5000"]),
            (#"{"title":"a","progress":1.01}"#, ["/progress must be a number from 0 to 1"]),
            (#"{"title":"a","progress":1e999}"#, ["/progress must be a number from 0 to 1"]),
            (#"{"title":"a","isReread":1}"#, ["/isReread must be true or false"]),
            (#"{"title":"a","authors":"b"}"#, ["/authors must be an array of at most 3 strings"]),
            (#"{"title":"a","authors":["","b","c","d"]}"#, ["/authors must be an array of at most 3 strings"]),
            (
                #"{"title":"a","authors":["",1,"c"]}"#,
                ["/authors/0 must be 1 to 5 characters long", "/authors/1 must be a string"]
            ),
            (#"{"title":"a","titel":"b"}"#, [#"/titel is not a known member; did you mean "title"?"#]),
            (
                #"{"title":"a","tite":0,"titl":1,"tile":2,"itle":3,"titlee":4}"#,
                ["tite", "titl", "tile", "itle"].map { #"/\#($0) is not a known member; did you mean "title"?"# }
                    + ["/titlee is not a known member"]
            ),
            (#"{"title":"a","a/b~c":"b"}"#, ["/a~1b~0c is not a known member"]),
            (#"{"title":"a","title":"a"}"#, ["/title is given more than once"]),
            (
                #"{"title":"a","titl\u0065":1,"title":2}"#,
                ["/title is given more than once", "/title is given more than once"]
            ),
            (#"{"title":"a","x":1,"x":2}"#, ["/x is not a known member"]),
        ] as [(String, [String])])
    func violations(_ text: String, _ expected: [String]) throws {
        #expect(try Self.violations(of: text) == expected)
    }

    @Test("Violations are in the order of the document, with missing members last")
    func order() throws {
        let text = #"{"zzz":1,"progress":2,"aaa":1,"pageCount":0,"progress":1}"#
        #expect(
            try Self.violations(of: text) == [
                "/zzz is not a known member", "/progress must be a number from 0 to 1", "/aaa is not a known member",
                "/pageCount must be a whole number from 1 to 5000", "/progress is given more than once",
                "/title is required",
            ])
    }

    @Test("A caller can refuse a member with its own text")
    func refusal() throws {
        var decoder = ObjectDecoder(try parse(#"{"a":1,"isbn":"12","title":null}"#))
        _ = decoder.string("isbn", length: 1...20)
        decoder.refuse("isbn", "must be an ISBN")
        decoder.refuse("title", "authors", with: "isbn")
        #expect(
            decoder.finish() == [
                Self.violation("/a", "is not a known member"),
                Self.violation("/isbn", "must be an ISBN"),
                Self.violation("/title", "cannot be given with isbn"),
            ])
    }

    @Test("A value that is no object is one violation")
    func noObject() throws {
        var decoder = ObjectDecoder(try parse("[1]"))
        #expect(decoder.string("a", length: 0...1) == .invalid)
        decoder.missing("a")
        decoder.refuse("b", "must be blue")
        #expect(decoder.finish() == [Self.violation("", "must be an object")])
    }

    @Test("The list of violations and the repeated parts of the request are bounded")
    func bounded() throws {
        let many = (0..<10_000).map { "\"m\($0)\":0" }.joined(separator: ",")
        var decoder = ObjectDecoder(try parse("{\(many)}"))
        #expect(decoder.finish().count == ObjectDecoder.violationsMax)

        let long = String(repeating: "é", count: 1000)
        decoder = ObjectDecoder(try parse("{\"\(long)\":0}"))
        #expect(decoder.finish().map(\.pointer) == ["/" + String(repeating: "é", count: 64) + "…"])
    }
}
