import Foundation
import JSON
import Model
import SharedByTests
import Testing

@testable import API

@Suite("Editions, chapters and positions in them")
struct EditionTests {
    static let paper = #"{"format":"paper","length":400,"storyStart":10,"storyEnd":390}"#
    static let ebook = #"{"format":"ebook","storyStart":2,"storyEnd":82}"#

    /// Ada, Ben, a librarian, and a book of the server.
    struct Scenario {
        let pipeline = try! TestPipeline()
        let book: String

        init() throws {
            for name in ["ada", "ben", "lena"] { try pipeline.enter(name) }
            let lena = try #require(try pipeline.send("GET", "/v1/me", as: "lena")["id"]?.string)
            _ = try pipeline.send("PATCH", "/v1/readers/\(lena)", #"{"role":"librarian"}"#, as: "admin")
            book = try pipeline.make("/v1/books", #"{"title":"Kindred","pageCount":100}"#, as: "admin")
            _ = pipeline.receive()
        }

        func edition(_ json: String, as name: String = "ada") throws -> String {
            try pipeline.make("/v1/books/\(book)/editions", json, as: name)
        }

        /// Returns the committed changes, and updates cached representations.
        @discardableResult
        func receive() throws -> [Change] {
            let changes = pipeline.receive()
            _ = try pipeline.deliver(changes, to: [])
            return changes
        }

        /// Sends a request and returns its status and its changes in the log.
        func ask(
            _ method: String, _ path: String, _ body: String? = nil, as name: String, fields: [String] = []
        ) throws -> (Int, [String]) {
            try receive()
            let answer = try pipeline.send(method, path, body, as: name, fields: fields)
            return (answer.status, try receive().map { "\($0.kind.name) \($0.operation.name)" })
        }

        func type(_ method: String, _ path: String, _ body: String? = nil, as name: String) throws -> String? {
            try pipeline.send(method, path, body, as: name)["type"]?.string
        }

        func reading(_ fields: String = "") throws -> String {
            try pipeline.make("/v1/readings", #"{"book":"\#(book)"\#(fields)}"#, as: "ada")
        }

        func enter(_ reading: String, _ body: String) throws -> Answer {
            try pipeline.send("POST", "/v1/readings/\(reading)/entries", body, as: "ada")
        }

        /// Returns the progress, page and position of a reading.
        func shown(_ reading: String) throws -> [String] {
            try receive()
            let answer = try pipeline.send("GET", "/v1/readings/\(reading)", as: "ada")
            let card = try pipeline.send("GET", "/v1/cards/\(reading)", as: "ada")
            for name in ["progress", "page", "position", "edition", "pageCount"] {
                #expect(answer[name]?.encoded == card[name]?.encoded, "\(name)")
            }
            return ["progress", "page", "position"].map { name in
                answer[name].map { String(decoding: $0.encoded, as: UTF8.self) } ?? "-"
            }
        }
    }

    @Test(
        "All readers can add an edition; only readers who may change its book, or its adder while it is unused, can change it"
    )
    func curation() throws {
        let scenario = try Scenario()
        let path = "/v1/books/\(scenario.book)/editions"
        #expect(try scenario.ask("POST", path, Self.paper, as: "ada") == (201, ["edition created"]))
        let list = try scenario.pipeline.send("GET", path, as: "ben")
        let id = try #require(list["items"]?.elements.map { $0 }.first?["id"]?.string)
        let one = "/v1/editions/\(id)"
        let shown = try scenario.pipeline.send("GET", one, as: "ben")
        #expect(shown.text.contains(#""unit":"page","length":400,"storyStart":10,"storyEnd":390,"name":null"#))
        #expect(try scenario.ask("PATCH", one, #"{"name":"Mine"}"#, as: "ben") == (403, []))
        #expect(try scenario.ask("PATCH", one, #"{"name":"Mine"}"#, as: "ada") == (200, ["edition updated"]))
        #expect(try scenario.ask("PATCH", one, #"{"name":"Mine"}"#, as: "ben") == (200, []))
        #expect(try scenario.ask("PATCH", one, #"{"storyEnd":395}"#, as: "ada") == (200, ["edition updated"]))
        #expect(try scenario.pipeline.send("GET", one, as: "ben")["revision"]?.integer == 2)
        // Ben reads in the edition, so Ada, who added it, can no longer change it.
        let own = #"{"book":"\#(scenario.book)","edition":"\#(id)"}"#
        _ = try scenario.pipeline.make("/v1/readings", own, as: "ben")
        #expect(try scenario.type("PATCH", one, #"{"name":"x"}"#, as: "ada") == "/problems/librarians-only")
        #expect(try scenario.ask("PATCH", one, #"{"storyEnd":390}"#, as: "lena") == (200, ["edition updated"]))
        #expect(try scenario.type("DELETE", one, as: "lena") == "/problems/edition-in-use")
        #expect(try scenario.ask("PATCH", one, #"{"narrator":"x"}"#, as: "lena") == (200, ["edition updated"]))
        #expect(try scenario.pipeline.send("GET", "/v1/books/\(id)/editions", as: "ben").status == 404)
        for (body, pointer) in [
            ("{}", "/format"), (#"{"format":"paper"}"#, "/length"), (#"{"format":"paper","length":100001}"#, "/length"),
            (#"{"format":"ebook","length":90}"#, "/length"),
            (#"{"format":"paper","length":10,"storyEnd":11}"#, "/storyEnd"),
            (#"{"format":"paper","length":10,"storyStart":10}"#, "/storyStart"),
            (#"{"format":"paper","length":10.5}"#, "/length"), (#"{"format":"x"}"#, "/format"),
        ] {
            let answer = try scenario.pipeline.send("POST", path, body, as: "ada")
            // The response mentions only members that were sent.
            #expect(answer.status == 422 && answer.pointers == [pointer], "\(body) \(answer.text)")
        }
        let none = try scenario.pipeline.send("POST", path, #"{"format":"paper"}"#, as: "ada")
        #expect(none.pointers == ["/length"] && none.text.contains("more than 0"), "\(none.text)")
    }

    @Test("An amount of 0 is refused where it must be positive, and not taken as absent")
    func positive() throws {
        let scenario = try Scenario()
        let one = "/v1/editions/\(try scenario.edition(Self.paper))"
        for member in ["length", "storyEnd"] {
            for amount in ["0", "0.0004", "-1", "null"] {
                let change = #"{"\#(member)":\#(amount)}"#
                let patched = try scenario.pipeline.send("PATCH", one, change, as: "ada")
                #expect(patched.status == 422 && patched.pointers == ["/\(member)"], "\(change) \(patched.text)")
                let draft = #"{"format":"ebook",\#(change.dropFirst())"#
                let created = try scenario.pipeline.send(
                    "POST", "/v1/books/\(scenario.book)/editions", draft, as: "ada")
                #expect(created.status == 422 && created.pointers == ["/\(member)"], "\(draft) \(created.text)")
            }
        }
        #expect(try scenario.ask("PATCH", one, #"{"storyStart":0}"#, as: "ada") == (200, ["edition updated"]))
        // Without a length, the edition ends where its story does.
        let edition = try scenario.edition(#"{"format":"audio","storyEnd":90.0006}"#)
        let shown = try scenario.pipeline.send("GET", "/v1/editions/\(edition)", as: "ada")
        #expect(shown["length"]?.double == 90.001 && shown["storyEnd"]?.double == 90.001)
    }

    @Test(
        "Chapters are measured by the first edition with anchors, and each change has a revision"
    )
    func chapters() throws {
        let scenario = try Scenario()
        let (chapters, edition) = ("/v1/books/\(scenario.book)/chapters", try scenario.edition(Self.paper))
        let anchors = "/v1/editions/\(edition)"
        func shares() throws -> [String] {
            try scenario.receive()
            return try scenario.pipeline.send("GET", chapters, as: "ben")["chapters"]?.elements.map {
                String(decoding: $0["share"]?.encoded ?? [], as: UTF8.self)
            } ?? []
        }
        #expect(try scenario.ask("GET", chapters, as: "ben").0 == 404)
        #expect(try scenario.pipeline.send("PATCH", anchors, #"{"anchors":[10]}"#, as: "ada").pointers == ["/anchors"])
        #expect(
            try scenario.ask("PUT", chapters, #"{"chapters":[{"label":"1","title":"River"},{"label":"2"}]}"#, as: "ada")
                == (201, ["chapters created"]))
        #expect(try shares() == ["0", "0.5"])
        #expect(
            try scenario.ask("PUT", chapters, #"{"chapters":[{"label":"I"},{"label":"2"}]}"#, as: "ben") == (403, []))
        for begins in ["[10]", "[10,10]", "[9,20]", "[10,390]", "[10,20.5]", #"["x",1]"#] {
            #expect(try scenario.ask("PATCH", anchors, #"{"anchors":\#(begins)}"#, as: "ada") == (422, []), "\(begins)")
        }
        #expect(
            try scenario.ask("PATCH", anchors, #"{"anchors":[10,48]}"#, as: "ben")
                == (200, ["edition updated", "chapters updated"]))
        #expect(try shares() == ["0", "0.1"])
        #expect(try scenario.ask("PATCH", anchors, #"{"anchors":[10,48]}"#, as: "ben") == (200, []))
        #expect(try scenario.ask("PATCH", anchors, #"{"anchors":[10,67]}"#, as: "ben") == (403, []))
        func revision() throws -> Int64? { try scenario.pipeline.send("GET", chapters, as: "ben")["revision"]?.integer }
        #expect(try revision() == 1)
        #expect(
            try scenario.ask("PATCH", anchors, #"{"anchors":[10,67]}"#, as: "lena")
                == (200, ["edition updated", "chapters updated"]))
        #expect(try shares() == ["0", "0.1"] && revision() == 2)
        let named = #"{"chapters":[{"label":"I"},{"label":"II"}]}"#
        #expect(try scenario.ask("PUT", chapters, named, as: "lena") == (412, []))
        let replaces = ["If-Match: *"]
        #expect(
            try scenario.ask("PUT", chapters, named, as: "lena", fields: replaces) == (200, ["chapters updated"]))
        #expect(try revision() == 2)
        let three = #"{"chapters":[{},{"share":0.1},{"share":0.2}]}"#
        #expect(
            try scenario.ask("PUT", chapters, three, as: "lena", fields: replaces)
                == (200, ["edition updated", "chapters updated"]))
        let reading = try scenario.reading()
        #expect(try scenario.enter(reading, #"{"position":{"chapter":2,"within":1}}"#).status == 201)
        #expect(try scenario.shown(reading) == ["0.2", "20", #"{"chapter":2,"within":1}"#])
        let moved = #"{"chapters":[{},{"share":0.1},{"share":0.3}]}"#
        #expect(try revision() == 3)
        #expect(
            try scenario.ask("PUT", chapters, moved, as: "lena", fields: replaces) == (200, ["chapters updated"]))
        #expect(try revision() == 4)
        let none = #"{"chapters":[]}"#
        #expect(try scenario.ask("PUT", chapters, none, as: "ben") == (403, []))
        #expect(try scenario.ask("PUT", chapters, none, as: "lena") == (412, []))
        #expect(
            try scenario.ask("PUT", chapters, none, as: "lena", fields: replaces) == (204, ["chapters deleted"]))
        #expect(try scenario.ask("GET", chapters, as: "ben").0 == 404)
        #expect(try scenario.ask("PUT", chapters, none, as: "ben") == (204, []))
        // Recorded positions stay, and the next chapters are a new scale, which has no records yet.
        #expect(try scenario.shown(reading) == ["0.2", "20", #"{"chapter":2,"within":1}"#])
        #expect(try scenario.ask("PUT", chapters, three, as: "ben") == (201, ["chapters created"]))
        #expect(try revision() == 4)
    }

    @Test("Another number of chapters without shares is estimated again, until anchors measure it")
    func estimated() throws {
        let scenario = try Scenario()
        let (chapters, edition) = ("/v1/books/\(scenario.book)/chapters", try scenario.edition(Self.paper))
        func put(_ body: String) throws -> Answer {
            try scenario.receive()
            return try scenario.pipeline.send("PUT", chapters, body, as: "lena", fields: ["If-Match: *"])
        }
        func isEstimated() throws -> Bool? {
            try scenario.receive()
            return try scenario.pipeline.send("GET", chapters, as: "ben")["isEstimated"]?.bool
        }
        for known in [#"{"chapters":[{"share":0},{"share":0.3},{}]}"#, #"{"chapters":[{},{},{}]}"#] {
            let first = try scenario.pipeline.send("PUT", chapters, known, as: "lena")
            #expect(try first.status == 201 && isEstimated() == !known.contains("share"))
            if try isEstimated() == true {
                let anchors = try scenario.pipeline.send(
                    "PATCH", "/v1/editions/\(edition)", #"{"anchors":[10,48,86]}"#, as: "lena")
                #expect(try anchors.status == 200 && isEstimated() == false)
            }
            // New names leave the shares known.
            #expect(try put(#"{"chapters":[{"label":"I"},{},{}]}"#).status == 200 && isEstimated() == false)
            #expect(try put(#"{"chapters":[{},{}]}"#).status == 200 && isEstimated() == true)
            let anchors = try scenario.pipeline.send(
                "PATCH", "/v1/editions/\(edition)", #"{"anchors":[10,48]}"#, as: "lena")
            #expect(try anchors.status == 200 && isEstimated() == false)
            let measured = try scenario.pipeline.send("GET", chapters, as: "ben")["chapters"]?.elements.map { $0 }
            #expect(measured?.last?["share"]?.double == 0.1)
            #expect(try put(#"{"chapters":[]}"#).status == 204)
        }
    }

    @Test("An entry keeps the position as sent and its meaning then; progress is the share of the story")
    func entries() throws {
        let scenario = try Scenario()
        let edition = try scenario.edition(Self.ebook)
        let reading = try scenario.reading(#","edition":"\#(edition)""#)
        let first = try scenario.enter(reading, #"{"progress":0.42}"#)
        #expect(first["progress"]?.double == 0.5 && first["page"]?.isNull == true)
        #expect(first.text.contains(#""position":{"progress":0.42,"edition":"\#(edition)"}"#))
        #expect(try scenario.shown(reading) == ["0.5", "null", #"{"progress":0.42,"edition":"\#(edition)"}"#])
        // The story ends before the notes and the sample.
        let last = try scenario.enter(reading, #"{"position":{"progress":0.82,"locator":"epubcfi(/6/4)"}}"#)
        #expect(last["progress"]?.integer == 1)
        #expect(last["position"].map { String(decoding: $0.encoded, as: UTF8.self) }?.contains("epubcfi(/6/4)") == true)
        let undone = "/v1/readings/\(reading)/entries/\(last["id"]?.string ?? "")"
        #expect(try scenario.ask("DELETE", undone, as: "ada") == (204, ["entry deleted", "reading updated"]))
        #expect(try scenario.shown(reading)[0] == "0.5")
        let wrong = try scenario.enter(reading, #"{"page":3}"#)
        #expect(wrong.pointers == ["/page"] && wrong.text.contains("unit of this edition"))
        let foreign = try scenario.enter(reading, #"{"position":{"page":3,"edition":"\#(scenario.book)"}}"#)
        #expect(foreign.pointers == ["/position/edition"])
        let roman = try scenario.enter(reading, #"{"position":{"page":"xii"}}"#)
        #expect(roman.pointers == ["/position/page"] && roman.text.contains("send page 0"))
        for (place, pointer) in [
            (#"{"page":1,"progress":0.1}"#, "/position/page"), (#"{"location":1,"seconds":2}"#, "/position/location"),
            (#"{"within":0.1,"chapter":1,"page":3}"#, "/position/chapter"), ("{}", "/position/progress"),
        ] { #expect(try scenario.enter(reading, #"{"position":\#(place)}"#).pointers == [pointer], "\(place)") }
        let pages = try scenario.pipeline.send(
            "PATCH", "/v1/readings/\(reading)", #"{"pageCount":7}"#, as: "ada")
        #expect(pages.pointers == ["/pageCount"])
    }

    @Test("A reading that switches editions keeps its progress and shows its position in the new edition's unit")
    func switching() throws {
        let scenario = try Scenario()
        let (ebook, paper) = (try scenario.edition(Self.ebook), try scenario.edition(Self.paper))
        let audio = try scenario.edition(#"{"format":"audio","length":36000}"#)
        let reading = try scenario.reading()
        let path = "/v1/readings/\(reading)"
        #expect(try scenario.enter(reading, #"{"page":50}"#)["position"] == nil)
        #expect(try scenario.shown(reading) == ["0.5", "50", "-"])
        for (edition, shown) in [
            (ebook, ["0.5", "null", #"{"progress":0.42,"edition":"\#(ebook)"}"#]),
            (paper, ["0.5", "200", #"{"page":200,"edition":"\#(paper)"}"#]),
            (audio, ["0.5", "null", #"{"seconds":18000,"edition":"\#(audio)"}"#]),
        ] {
            let change = try scenario.ask("PATCH", path, #"{"edition":"\#(edition)"}"#, as: "ada")
            #expect(change == (200, ["reading updated"]))
            #expect(try scenario.shown(reading) == shown)
            #expect(try scenario.ask("PATCH", path, #"{"edition":"\#(edition)"}"#, as: "ada") == (200, []))
        }
        #expect(try scenario.enter(reading, #"{"position":{"seconds":27000.5}}"#)["progress"]?.double == 0.750013)
        #expect(try scenario.ask("PATCH", path, #"{"edition":"\#(paper)"}"#, as: "ada").0 == 200)
        #expect(try scenario.enter(reading, #"{"page":398}"#)["progress"]?.integer == 1)
        #expect(try scenario.shown(reading) == ["1", "398", #"{"page":398,"edition":"\#(paper)"}"#])
        #expect(try scenario.ask("PATCH", path, #"{"isFinished":true}"#, as: "ada").0 == 200)
        #expect(try scenario.shown(reading)[0...1] == ["1", "390"])
        #expect(try scenario.ask("PATCH", path, #"{"isFinished":false,"edition":null}"#, as: "ada").0 == 200)
        // Its latest entry has a page of the edition, beside which no other page is shown.
        #expect(try scenario.shown(reading) == ["1", "100", "-"])
        // Its pages are the book's again, and their number can be changed.
        #expect(try scenario.pipeline.send("GET", path, as: "ada")["pageCount"]?.integer == 100)
        let other = try scenario.pipeline.send("PATCH", path, #"{"edition":"\#(audio)"}"#, as: "ada")
        #expect(other.status == 200 && other["pageCount"]?.integer == nil, "\(other.text)")
        let own = try scenario.pipeline.send("PATCH", path, #"{"edition":null,"pageCount":90}"#, as: "ada")
        #expect(own["pageCount"]?.integer == 90)
        #expect(try scenario.pipeline.send("PATCH", path, #"{"edition":null}"#, as: "ada")["pageCount"]?.integer == 90)
        #expect(try scenario.enter(reading, #"{"page":45}"#)["progress"]?.double == 0.5)
        #expect(try scenario.pipeline.send("GET", path, as: "ada")["edition"] == nil)
        let none = try scenario.pipeline.send("PATCH", path, #"{"edition":"\#(scenario.book)"}"#, as: "ada")
        #expect(none.pointers == ["/edition"])
    }

    @Test("A reading without entries has the page of its progress, and no position")
    func beginning() throws {
        let scenario = try Scenario()
        let (ebook, paper) = (try scenario.edition(Self.ebook), try scenario.edition(Self.paper))
        let reading = try scenario.reading(#","pageCount":7"#)
        let path = "/v1/readings/\(reading)"
        #expect(try scenario.shown(reading) == ["0", "0", "-"])
        for (change, shown) in [
            (#"{"pageCount":null}"#, ["0", "null", "-"]), (#"{"pageCount":9}"#, ["0", "0", "-"]),
            (#"{"edition":"\#(paper)"}"#, ["0", "10", "-"]), (#"{"edition":"\#(ebook)"}"#, ["0", "null", "-"]),
            (#"{"edition":null}"#, ["0", "0", "-"]), (#"{"isFinished":true}"#, ["1", "100", "-"]),
            (#"{"isFinished":false}"#, ["0", "0", "-"]),
        ] {
            #expect(try scenario.ask("PATCH", path, change, as: "ada") == (200, ["reading updated"]), "\(change)")
            #expect(try scenario.shown(reading) == shown, "\(change)")
        }
        let entry = try #require(try scenario.enter(reading, #"{"page":3}"#)["id"]?.string)
        #expect(try scenario.shown(reading) == ["0.03", "3", "-"])
        #expect(try scenario.ask("DELETE", "\(path)/entries/\(entry)", as: "ada").0 == 204)
        #expect(try scenario.shown(reading) == ["0", "0", "-"])
        let next = try scenario.reading(#","edition":"\#(paper)","isReread":true"#)
        #expect(try scenario.shown(next) == ["0", "10", "-"])
    }

    @Test("Changes of anchors do not move positions that were recorded before")
    func fixed() throws {
        let scenario = try Scenario()
        let edition = try scenario.edition(Self.paper)
        let anchors = "/v1/editions/\(edition)"
        _ = try scenario.pipeline.send(
            "PUT", "/v1/books/\(scenario.book)/chapters", #"{"chapters":[{},{"share":0.5}]}"#, as: "ada")
        _ = try scenario.pipeline.send("PATCH", anchors, #"{"anchors":[10,100]}"#, as: "ada")
        let reading = try scenario.reading(#","edition":"\#(edition)""#)
        let entry = try scenario.enter(reading, #"{"page":100}"#)
        #expect(entry["progress"]?.double == 0.236842)
        let entries = try scenario.pipeline.send("GET", "/v1/readings/\(reading)/entries", as: "ada").text
        let before = try scenario.shown(reading)
        for body in [#"{"anchors":[10,300]}"#, #"{"anchors":[10,20]}"#] {
            #expect(
                try scenario.ask("PATCH", anchors, body, as: "lena") == (200, ["edition updated", "chapters updated"]))
        }
        #expect(
            try scenario.ask("PATCH", anchors, #"{"anchors":null}"#, as: "lena") == (
                200, ["edition updated", "chapters updated"]
            ))
        #expect(try scenario.shown(reading) == before)
        let after = try scenario.pipeline.send("GET", "/v1/readings/\(reading)/entries", as: "ada").text
        #expect(after.prefix { $0 != "]" } == entries.prefix { $0 != "]" })
        #expect(try scenario.enter(reading, #"{"page":200}"#)["progress"]?.double == 0.5)
    }

    /// Returns a club of Ada and Ben, with functions that write a note and list Ben's notes.
    private func club(_ scenario: Scenario) throws -> (note: (String) throws -> String, seen: () throws -> [String]) {
        let club = try scenario.pipeline.make("/v1/clubs", #"{"name":"Tuesdays"}"#, as: "ada")
        let code =
            try scenario.pipeline.send("POST", "/v1/clubs/\(club)/invitations", "{}", as: "ada")["code"]?.string ?? ""
        #expect(
            try scenario.pipeline.send("POST", "/v1/memberships", #"{"invitation":"\#(code)"}"#, as: "ben").status
                == 201)
        func note(_ position: String) throws -> String {
            let body = #"{"book":"\#(scenario.book)","club":"\#(club)","body":"x","position":\#(position)}"#
            return try scenario.pipeline.make("/v1/notes", body, as: "ada")
        }
        func seen() throws -> [String] {
            let list = try scenario.pipeline.send("GET", "/v1/clubs/\(club)/notes", as: "ben")
            return list["items"]?.elements.compactMap { $0["id"]?.string }.sorted() ?? []
        }
        return (note, seen)
    }

    @Test("Anchored editions compare by chapters, exactly; another revision compares by shares only")
    func compared() throws {
        let scenario = try Scenario()
        let (note, seen) = try club(scenario)
        let (paper, ebook) = (try scenario.edition(Self.paper), try scenario.edition(Self.ebook))
        _ = try scenario.pipeline.send(
            "PUT", "/v1/books/\(scenario.book)/chapters", #"{"chapters":[{},{"share":0.4}]}"#, as: "ada")
        for (edition, begins) in [(paper, "[10,200]"), (ebook, "[2,20]")] {
            let put = try scenario.pipeline.send(
                "PATCH", "/v1/editions/\(edition)", #"{"anchors":\#(begins)}"#, as: "ada")
            #expect(put.status == 200)
        }
        // Half of chapter 2 is 20 of the 62 percent after its beginning, and 95 of the 190 pages.
        let first = try note(#"{"page":295,"edition":"\#(paper)"}"#)
        let byChapter = try note(#"{"chapter":2,"within":0.5}"#)
        let own = #"{"book":"\#(scenario.book)","edition":"\#(ebook)"}"#
        let reading = try scenario.pipeline.make("/v1/readings", own, as: "ben")
        let path = "/v1/readings/\(reading)/entries"
        _ = try scenario.pipeline.make(path, #"{"progress":0.5099}"#, as: "ben")
        #expect(try seen() == [])
        let reached = try scenario.pipeline.make(path, #"{"progress":0.51}"#, as: "ben")
        #expect(try seen() == [first, byChapter].sorted())
        #expect(try scenario.pipeline.send("DELETE", "\(path)/\(reached)", as: "ben").status == 204)
        #expect(try seen() == [])
        // After a correction of the anchors, new positions do not compare with earlier ones.
        #expect(
            try scenario.pipeline.send("PATCH", "/v1/editions/\(paper)", #"{"anchors":[10,100]}"#, as: "lena").status
                == 200)
        _ = try scenario.pipeline.make(path, #"{"progress":0.6}"#, as: "ben")
        #expect(try seen() == [])
        let second = try note(#"{"page":245,"edition":"\#(paper)"}"#)
        #expect(try seen() == [second])
        // The plain share of the first note is 0.75, and 0.8 with the slack: at 66 percent.
        _ = try scenario.pipeline.make(path, #"{"progress":0.6599}"#, as: "ben")
        #expect(try !seen().contains(first))
        _ = try scenario.pipeline.make(path, #"{"progress":0.66}"#, as: "ben")
        #expect(try seen() == [first, byChapter, second].sorted())
    }

    @Test("Within an edition without anchors amounts compare exactly, until it is measured otherwise")
    func measured() throws {
        let scenario = try Scenario()
        let (note, seen) = try club(scenario)
        let paper = try scenario.edition(Self.paper)
        let first = try note(#"{"page":200,"edition":"\#(paper)"}"#)
        let reading = try scenario.pipeline.make(
            "/v1/readings", #"{"book":"\#(scenario.book)","edition":"\#(paper)"}"#, as: "ben")
        let path = "/v1/readings/\(reading)/entries"
        _ = try scenario.pipeline.make(path, #"{"page":199}"#, as: "ben")
        #expect(try seen() == [])
        let entry = try scenario.pipeline.make(path, #"{"page":200}"#, as: "ben")
        #expect(try seen() == [first])
        _ = try scenario.pipeline.send("DELETE", "\(path)/\(entry)", as: "ben")
        #expect(
            try scenario.pipeline.send("PATCH", "/v1/editions/\(paper)", #"{"storyEnd":380}"#, as: "lena").status == 200
        )
        _ = try scenario.pipeline.make(path, #"{"page":201}"#, as: "ben")
        #expect(try seen() == [])
        _ = try scenario.pipeline.make(path, #"{"page":214}"#, as: "ben")
        #expect(try seen() == [first])
    }

    @Test("Editions, chapters and anchors can be watched, and end with their book")
    func watching() throws {
        let scenario = try Scenario()
        let own = try scenario.pipeline.make("/v1/books", #"{"title":"Dawn"}"#, as: "ada")
        let list = try scenario.pipeline.open("/v1/books/\(own)/editions", as: "ben")
        let edition = try scenario.pipeline.make("/v1/books/\(own)/editions", Self.paper, as: "ada")
        let other = try scenario.edition(Self.paper)
        #expect(try scenario.pipeline.deliver(scenario.pipeline.receive(), to: [list]) == [["enter"]])
        _ = try scenario.pipeline.send("PUT", "/v1/books/\(own)/chapters", #"{"chapters":[{},{}]}"#, as: "ada")
        _ = try scenario.pipeline.send("PATCH", "/v1/editions/\(edition)", #"{"anchors":[10,200]}"#, as: "ada")
        _ = scenario.pipeline.receive()
        let one = try scenario.pipeline.open("/v1/editions/\(edition)", as: "ben")
        let chapters = try scenario.pipeline.open("/v1/books/\(own)/chapters", as: "ben")
        _ = try scenario.pipeline.send("PATCH", "/v1/editions/\(edition)", #"{"name":"x"}"#, as: "ada")
        let received = try scenario.pipeline.deliver(scenario.pipeline.receive(), to: [list, one, chapters])
        #expect(received == [["updated"], ["updated"], []])
        #expect(try scenario.pipeline.send("DELETE", "/v1/books/\(own)", as: "ada").status == 204)
        let ends = try scenario.pipeline.deliver(scenario.pipeline.receive(), to: [list, one, chapters])
        #expect(ends.dropFirst() == [["deleted"], ["deleted"]] && ends[0].first == "leave")
        #expect(try scenario.pipeline.send("GET", "/v1/editions/\(edition)", as: "ben").status == 404)
        #expect(try scenario.pipeline.send("GET", "/v1/editions/\(other)", as: "ben").status == 200)
    }
}
