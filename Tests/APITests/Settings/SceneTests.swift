import CSQLite
import JSON
import Model
import SharedByTests
import Testing

@testable import API
@testable import Store

@Suite("Scenes")
struct SceneTests {
    private let pipeline: TestPipeline

    init() throws {
        pipeline = try TestPipeline()
        for name in ["ada", "ben"] { try pipeline.enter(name) }
        _ = pipeline.receive()
    }

    /// Sends a request, and returns its response and its events in the log.
    private func ask(
        _ method: String, _ path: String, _ body: String? = nil, as name: String = "ada", fields: [String] = []
    ) throws -> (answer: Answer, events: [String]) {
        let answer = try pipeline.send(method, "/v1/scenes\(path)", body, as: name, fields: fields)
        return (answer, pipeline.receive().map { "\($0.kind.name) \($0.operation.name)" })
    }

    @Test("A device stores a scene and reads it as sent; the same again is no change")
    func kept() throws {
        let body = #"{"value": {"z": 1.0, "a": [1e2, null, "\u00e9"], "big": 12345678901234567890.10}}"#
        let made = try ask("PUT", "/Phone/draft", body)
        #expect(made.answer.status == 201 && made.events == ["scene created"])
        #expect(made.answer.fields["location"] == "/v1/scenes/Phone/draft")
        let found = try ask("GET", "/Phone/draft")
        #expect(found.answer.status == 200 && found.events == [])
        #expect(found.answer.text.contains(#""value":{"z":1.0,"a":[1e2,null,"é"],"big":12345678901234567890.10}"#))
        #expect(found.answer.fields["etag"] == made.answer.fields["etag"])
        let again = try ask("PUT", "/Phone/draft", body)
        #expect(again.answer.status == 200 && again.events == [] && again.answer.fields["lectern-unchanged"] == "true")
        let other = try ask("PUT", "/Phone/draft", #"{"value": null}"#)
        #expect(other.answer.status == 200 && other.events == ["scene updated"])
        #expect(try ask("DELETE", "/Phone/draft").events == ["scene deleted"])
        #expect(try ask("GET", "/Phone/draft").answer.status == 404)
        #expect(try ask("DELETE", "/Phone/draft").answer.status == 404)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let says: String
        let request: String
        var body: String?
        let status: Int
        var contains = ""
        var testDescription: String { says }
    }

    @Test(
        "Invalid scenes are refused",
        arguments: [
            Row(
                says: "17 KiB", request: "PUT /phone/draft",
                body: "{\"value\":\"\(String(repeating: "x", count: 17 << 10))\"}", status: 413,
                contains: "sceneBytesMax"),
            Row(
                says: "a byte too much", request: "PUT /phone/draft",
                body: "{\"value\":\"\(String(repeating: "x", count: (16 << 10) - 1))\"}", status: 413,
                contains: "16384"),
            Row(
                says: "16 KiB and white space around it", request: "PUT /phone/draft",
                body: "{\"value\":    \"\(String(repeating: "x", count: (16 << 10) - 2))\"   }", status: 201),
            Row(says: "no value", request: "PUT /phone/draft", body: "{}", status: 422, contains: "/value"),
            Row(
                says: "more than a value", request: "PUT /phone/draft", body: "{\"value\":1,\"name\":\"x\"}",
                status: 422, contains: "/name"),
            Row(
                says: "a blank in a name", request: "PUT /phone/a%20b", body: "{\"value\":1}", status: 400,
                contains: "/problems/invalid-name"),
            Row(says: "a device of dots", request: "PUT /..phone/x", body: "{\"value\":1}", status: 400),
            Row(
                says: "a name of 65", request: "PUT /phone/\(String(repeating: "n", count: 65))",
                body: "{\"value\":1}", status: 400),
            Row(
                says: "a name of 64", request: "PUT /phone/\(String(repeating: "n", count: 64))",
                body: "{\"value\":1}", status: 201),
            Row(says: "a name that none has", request: "GET /phone/%C3%A9", status: 404),
            Row(says: "a device that none is", request: "GET ?device=%E2%84%AA", status: 400, contains: "device"),
        ])
    func refused(_ row: Row) throws {
        let parts = row.request.split(separator: " ").map(String.init)
        let (answer, events) = try ask(parts[0], parts[1], row.body)
        #expect(answer.status == row.status && events == (row.status == 201 ? ["scene created"] : []))
        #expect(row.contains.isEmpty || answer.text.contains(row.contains))
    }

    @Test("If-Match protects another window's change, and If-None-Match an existing scene")
    func lostUpdates() throws {
        let tag = try #require(try ask("PUT", "/phone/draft", "{\"value\":1}").answer.fields["etag"])
        #expect(try ask("PUT", "/phone/draft", "{\"value\":2}", fields: ["If-Match: \(tag)"]).answer.status == 200)
        let late = try ask("PUT", "/phone/draft", "{\"value\":3}", fields: ["If-Match: \(tag)"])
        #expect(late.answer.status == 412 && late.events == [] && late.answer["current"]?["value"]?.integer == 2)
        #expect(try ask("DELETE", "/phone/draft", fields: ["If-Match: \(tag)"]).answer.status == 412)
        #expect(try ask("PUT", "/phone/draft", "{\"value\":3}", fields: ["If-None-Match: *"]).answer.status == 412)
    }

    @Test("Nobody sees another reader's scenes, and two readers' scenes of the same name are separate")
    func discretion() throws {
        let own = try ask("PUT", "/phone/draft", "{\"value\":\"ada\"}").answer
        #expect(try ask("GET", "/phone/draft", as: "ben").answer.status == 404)
        #expect(try ask("DELETE", "/phone/draft", as: "ben").answer.status == 404)
        let (list, feed) = (try pipeline.open("/v1/scenes", as: "ben"), try pipeline.open("/v1/changes", as: "ben"))
        let other = try ask("PUT", "/phone/draft", "{\"value\":\"ben\"}", as: "ben").answer
        #expect(other.status == 201 && other["id"]?.string != own["id"]?.string)
        #expect(try ask("GET", "/phone/draft").answer["value"]?.string == "ada")
        #expect(try ask("GET", "", as: "ben").answer["items"]?.elements.map { $0["value"]?.string } == ["ben"])
        _ = try pipeline.send("PUT", "/v1/scenes/phone/draft", "{\"value\":\"more\"}", as: "ada")
        #expect(try pipeline.deliver(pipeline.receive(), to: [list, feed]) == [[], []])
    }

    @Test("A second device receives the first one's scene, its deletion and its return")
    func second() throws {
        _ = try ask("PUT", "/phone/draft", "{\"value\":1}")
        let all = try pipeline.open("/v1/scenes", as: "ada")
        let phones = try pipeline.open("/v1/scenes?device=phone", as: "ada")
        let pads = try pipeline.open("/v1/scenes?device=pad", as: "ada")
        let one = try pipeline.open("/v1/scenes/phone/draft", as: "ada")
        func received(_ method: String, _ path: String, _ body: String? = nil) throws -> [[String]] {
            _ = try pipeline.send(method, "/v1/scenes\(path)", body, as: "ada")
            return try pipeline.deliver(pipeline.receive(), to: [all, phones, pads, one])
        }
        #expect(try received("PUT", "/phone/draft", "{\"value\":2}") == [["updated"], ["updated"], [], ["updated"]])
        #expect(try received("PUT", "/pad/draft", "{\"value\":2}") == [["enter"], [], ["enter"], []])
        #expect(try received("DELETE", "/phone/draft") == [["leave"], ["leave"], [], ["deleted"]])
        #expect(try received("PUT", "/phone/draft", "{\"value\":2}") == [["enter"], ["enter"], [], ["created"]])
        let listed = try ask("GET", "?device=pad").answer
        #expect(listed["items"]?.elements.map { $0["device"]?.string } == ["pad"])
    }

    @Test("A reader has at most two hundred scenes; one more is refused by name, an existing one is replaced")
    func limit() throws {
        for number in 0..<200 { _ = try ask("PUT", "/phone/\(number)", "{\"value\":1}") }
        let more = try ask("PUT", "/pad/x", "{\"value\":1}")
        #expect(more.answer.status == 409 && more.answer["limit"]?["name"]?.string == "scenesPerReaderMax")
        #expect(try ask("PUT", "/phone/7", "{\"value\":2}").events == ["scene updated"])
        #expect(try ask("PUT", "/pad/x", "{\"value\":1}", as: "ben").answer.status == 201)
    }

    @Test("Reading or watching a scene counts as its use; listing does not")
    func uses() throws {
        let service = try TestService()
        #expect(try service.send("PUT", "/v1/scenes/phone/draft", "{\"value\":1}").status == 201)
        func day() throws -> Int64? {
            let path = service.directory + "/lectern.sqlite"
            return try SQLiteConnection(path: path, flags: SQLITE_OPEN_READONLY).number("SELECT used_day FROM scenes")
        }
        let today = try #require(try day())
        for isStream in [false, true] {
            try service.execute("UPDATE scenes SET used_day = used_day - 40")
            #expect(try service.send("GET", "/v1/scenes").status == 200)
            // A use noted for the list would be on disk before these writes.
            #expect(try service.send("PATCH", "/v1/settings", "{\"presence\":\(isStream)}").status == 200)
            #expect(try service.send("PATCH", "/v1/me", "{\"name\":\"Ada \(isStream)\"}").status == 200)
            #expect(try day() == today - 40)
            let path = "/v1/scenes/phone/draft"
            if isStream {
                #expect(try Watcher(service, path).wait(count: 1))
            } else {
                #expect(try service.send("GET", path).status == 200)
            }
            #expect(try eventually { try day() == today })
        }
    }
}
