import JSON
import Testing

@testable import Model

@Suite("Streams of several URLs")
struct StreamTests {
    @Test(
        "A cursor is parsed as it is written, and other texts are not cursors",
        arguments: [
            ("0000002a-7.s0000beef.r1", true), ("0000002a-7.s0000beef.r12.d5", true),
            ("0000002a-0.s0000beef.r0", true), ("0000002a-7.s0000beef.r1.g00000a", true),
            ("0000002a-7.s0000beef.r1.d5.g00000a00000b", true), ("0000002a-7", false), ("0000002a-7.r1", false),
            ("0000002a-7.sbeef.r1", false), ("0000002a-7.s0000BEEF.r1", false), ("0000002a-7.s0000beef.1", false),
            ("0000002a-7.s0000beef.r", false), ("0000002a-7.s0000beef.r1.d7", false),
            ("0000002a-7.s0000beef.r1.d", false), ("0000002a-7.s0000beef.r1.x5", false),
            ("0000002a-7.s0000beef.r-1", false), ("0000002a-7.s0000beef.r1.d5.d4", false), ("", false),
            ("0000002a-7.s0000beef.r9999999999999999999", false), (".s0000beef.r1", false),
            ("0000002a-7.s0000beef.r1.g", false), ("0000002a-7.s0000beef.r1.g0a", false),
            ("0000002a-7.s0000beef.r1.g-0000a", false), ("0000002a-7.s0000beef.r1.g00000a.d5", false),
        ])
    func cursors(text: String, isOne: Bool) {
        #expect(StreamCursor(text)?.description == (isOne ? text : nil))
    }

    private func list(_ text: String, over old: WatchList = WatchList(), revision: Int64 = 1) throws -> WatchList {
        let patch = try NamedStreamPatch(
            JSONDocument(Array("{\"watch\":\(text)}".utf8)).root, form: .patch, debounce: 500)
        return old.applying(try #require(patch.watch), revision: revision)
    }

    @Test("A changed name of a watch list begins again, an unchanged one continues, and null removes it")
    func patches() throws {
        let first = try list(#"{"a":"/v1/books","b":{"url":"/v1/cards","debounce":true}}"#)
        #expect(first.entries.map(\.name) == ["a", "b"] && first["b"]?.debounce == 500 && first["a"]?.debounce == nil)
        let second = try list(
            #"{"a":"/v1/books","b":"/v1/cards","c":{"url":"/v1/x","after":"0000002a-7"}}"#, over: first, revision: 2)
        #expect(second.entries.map(\.revision) == [1, 2, 2] && second["c"]?.after == "0000002a-7")
        let third = try list(#"{"a":null,"z":null}"#, over: second, revision: 3)
        #expect(third.entries.map(\.name) == ["b", "c"] && third.entries.map(\.revision) == [2, 2])
        #expect(WatchList(cell: third.cell) == third)
    }

    @Test(
        "A URL that cannot be watched is named by its pointer",
        arguments: [
            (#"{"a b":"/v1"}"#, "/watch/a b"), (#"{"a":7}"#, "/watch/a"), (#"{"a":"v1/books"}"#, "/watch/a"),
            (#"{"a":"//evil/v1"}"#, "/watch/a"), (#"{"a":"http://x/v1"}"#, "/watch/a"), (#"{"a":{}}"#, "/watch/a"),
            (#"{"a":{"url":"/v1","debounce":1}}"#, "/watch/a"), (#"{"a":{"url":"/v1","more":1}}"#, "/watch/a"),
            (#"{"a":{"url":"/v1","debounce":true,"after":"x"}}"#, "/watch/a"), (#"[]"#, "/watch"), ("null", "/watch"),
            (#"{"a":"/v1","a":"/v2"}"#, "/watch/a"), (#"{"":"/v1"}"#, "/watch/"),
        ])
    func refused(text: String, pointer: String) throws {
        do {
            _ = try list(text)
            Issue.record("taken")
        } catch RequestError.invalid(let violations) {
            #expect(violations.map(\.pointer) == [pointer])
        }
    }

    @Test("A stream is not created or changed with null as its names", arguments: [RequestBodyForm.whole, .patch])
    func null(form: RequestBodyForm) throws {
        let body = try JSONDocument(Array(#"{"watch":null}"#.utf8)).root
        #expect(throws: RequestError.invalid([Violation(pointer: "/watch", detail: "must not be null")])) {
            try NamedStreamPatch(body, form: form, debounce: 500)
        }
    }

    @Test("A new stream has no names to remove")
    func nothing() throws {
        let body = try JSONDocument(Array(#"{"watch":{"a":null}}"#.utf8)).root
        #expect(throws: RequestError.self) { try NamedStreamPatch(body, form: .whole, debounce: 500) }
    }
}

extension WatchList {
    fileprivate subscript(_ name: String) -> WatchListEntry? { entries.first { $0.name == name } }
}
