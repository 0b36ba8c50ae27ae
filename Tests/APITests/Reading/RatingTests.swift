import Foundation
import JSON
import Model
import Testing

@testable import API

@Suite("Ratings")
struct RatingTests {
    /// A club of Ada and Ben with a run, Eve outside it, and a reading of its book by each.
    private struct Scenario {
        let pipeline = try! TestPipeline()
        let book: String
        let club: String
        let run: String
        /// The readings, by their readers.
        private(set) var readings: [String: String] = [:]

        init() throws {
            let pipeline = pipeline
            for name in ["ada", "ben", "eve"] { try pipeline.enter(name) }
            book = try pipeline.make("/v1/books", #"{"title":"Dawn","pageCount":100}"#, as: "ada")
            club = try pipeline.make("/v1/clubs", #"{"name":"Tuesdays"}"#, as: "ada")
            run = try pipeline.make("/v1/clubs/\(club)/runs", #"{"book":"\#(book)","state":"current"}"#, as: "ada")
            let invitation = try pipeline.send("POST", "/v1/clubs/\(club)/invitations", "{}", as: "ada")
            let code = try #require(invitation["code"]?.string)
            _ = try pipeline.send("POST", "/v1/memberships", #"{"invitation":"\#(code)"}"#, as: "ben")
            for name in ["ada", "ben", "eve"] {
                readings[name] = try pipeline.make("/v1/readings", #"{"book":"\#(book)"}"#, as: name)
            }
            _ = pipeline.receive()
        }

        /// Sends a request, and returns its status and its events in the log.
        func ask(_ method: String, _ path: String, _ body: String? = nil, as name: String) throws -> (Int, [String]) {
            let answer = try pipeline.send(method, path, body, as: name)
            return (answer.status, pipeline.receive().map { "\($0.kind.name) \($0.operation.name)" })
        }

        func path(_ name: String) -> String { "/v1/readings/\(readings[name] ?? "")/rating" }

        @discardableResult
        func rate(_ members: String, as name: String) throws -> Answer {
            try pipeline.send("PUT", path(name), "{\(members)}", as: name)
        }

        /// Creates a note about the book.
        func note(_ members: String = "", as name: String) throws -> String {
            try pipeline.make("/v1/notes", #"{"book":"\#(book)","body":"Never a dull page."\#(members)}"#, as: name)
        }

        func follow(as name: String, sharing: String) throws {
            let me = try #require(try pipeline.send("GET", "/v1/me", as: name)["id"]?.string)
            let member = "/v1/clubs/\(club)/members/\(me)"
            #expect(try pipeline.send("PATCH", member, #"{"shares":"\#(sharing)"}"#, as: name).status == 200)
            let standing = try pipeline.send("POST", "/v1/clubs/\(club)/standings", #"{"run":"\#(run)"}"#, as: name)
            #expect(standing.status < 300, "\(standing.text)")
        }

        /// Returns the ratings in the run, without the ids.
        func average(as name: String = "ada", of run: String? = nil) throws -> String {
            let answer = try pipeline.send("GET", "/v1/clubs/\(club)/runs/\(run ?? self.run)/ratings", as: name)
            guard answer.status == 200 else { return "\(answer.status)" }
            #expect(answer["run"]?.string == self.run && answer["book"]?.string == book)
            return String(answer.text.split(separator: "\"average\":").last ?? "")
        }
    }

    @Test("A reading has one rating in half stars, which only its reader sees, watches and changes")
    func own() throws {
        let scenario = try Scenario()
        let (ada, pipeline) = (scenario.path("ada"), scenario.pipeline)
        #expect(try scenario.ask("GET", ada, as: "ada") == (404, []))
        let list = try pipeline.open("/v1/ratings?book=\(scenario.book)", as: "ada")
        let (other, feed) = (
            try pipeline.open("/v1/ratings", as: "ben"), try pipeline.open("/v1/changes", as: "ben")
        )
        let made = try scenario.rate(#""stars":4.5"#, as: "ada")
        #expect(made.status == 201 && made.fields["location"] == ada, "\(made.text)")
        #expect(made.text.contains(#""stars":4.5,"noteId":null,"#) && made["book"]?.string == scenario.book)
        #expect(made["id"]?.string == scenario.readings["ada"] && made["reading"]?.string == scenario.readings["ada"])
        #expect(try pipeline.deliver(pipeline.receive(), to: [list, other, feed]) == [["enter"], [], []])
        let one = try pipeline.open(ada, as: "ada")
        let found = try pipeline.send("GET", ada, as: "ada")
        #expect(found.text == made.text && found.etag == made.etag)
        for reader in ["ben", "eve", "admin"] {
            #expect(try scenario.ask("GET", ada, as: reader) == (404, []))
            #expect(try scenario.ask("PUT", ada, #"{"stars":1}"#, as: reader) == (404, []))
            #expect(try scenario.ask("DELETE", ada, as: reader) == (404, []))
        }
        #expect(try scenario.ask("PUT", ada, #"{"stars":4.5}"#, as: "ada") == (200, []))
        try scenario.rate(#""stars":5"#, as: "ada")
        #expect(try pipeline.deliver(pipeline.receive(), to: [one, list]) == [["updated"], ["updated"]])
        let stale = try pipeline.send("PUT", ada, #"{"stars":1}"#, as: "ada", fields: ["If-Match: \(made.etag)"])
        #expect(stale.status == 412)
        #expect(try pipeline.send("DELETE", ada, as: "ada").status == 204)
        #expect(try pipeline.deliver(pipeline.receive(), to: [one, list]) == [["deleted"], ["leave"]])
        #expect(try scenario.ask("DELETE", ada, as: "ada") == (404, []))
        #expect(try scenario.rate(#""stars":0.5"#, as: "ada").status == 201)
        #expect(try pipeline.deliver(pipeline.receive(), to: [one, list]) == [["created"], ["enter"]])
    }

    @Test("A list of ratings has the newest first, of all books or of one")
    func list() throws {
        let scenario = try Scenario()
        let pipeline = scenario.pipeline
        let again = try pipeline.make("/v1/readings", #"{"book":"\#(scenario.book)","isReread":true}"#, as: "ada")
        let other = try pipeline.make("/v1/books", #"{"title":"Emma"}"#, as: "ada")
        let emma = try pipeline.make("/v1/readings", #"{"book":"\#(other)"}"#, as: "ada")
        for (reading, stars) in [(again, "3"), (scenario.readings["ada"] ?? "", "3.5"), (emma, "4")] {
            let made = try pipeline.send("PUT", "/v1/readings/\(reading)/rating", "{\"stars\":\(stars)}", as: "ada")
            #expect(made.status == 201)
        }
        func stars(_ query: String) throws -> [Double?] {
            try pipeline.send("GET", "/v1/ratings\(query)", as: "ada")["items"]?.elements.map { $0["stars"]?.double }
                ?? []
        }
        #expect(try stars("") == [4, 3.5, 3])
        #expect(try stars("?book=\(scenario.book)") == [3.5, 3] && stars("?book=\(other)") == [4])
        #expect(try stars("?book=\(scenario.book)&limit=1") == [3.5])
    }

    @Test("Stars are a number from 0.5 to 5 in steps of 0.5; a refusal says so, and changes nothing")
    func stars() throws {
        let scenario = try Scenario()
        for stars in ["0", "-1", "0.25", "4.25", "5.5", "1e300", "\"5\"", "true", "{}", "4.500000001"] {
            let answer = try scenario.rate("\"stars\":\(stars)", as: "ada")
            #expect(answer.status == 422 && answer.pointers == ["/stars"], "\(stars): \(answer.text)")
            #expect(answer.text.contains("must be a number from 0.5 to 5 in steps of 0.5"), "\(answer.text)")
        }
        for (body, pointer) in [("", "/stars"), (#""stars":null"#, "/stars"), (#""stars":1,"star":2"#, "/star")] {
            #expect(try scenario.rate(body, as: "ada").pointers == [pointer], "\(body)")
        }
        #expect(scenario.pipeline.receive().isEmpty)
        for (given, sent) in [("0.5", "0.5"), ("1", "1"), ("3.50", "3.5"), ("5e0", "5")] {
            let answer = try scenario.rate("\"stars\":\(given)", as: "ada")
            #expect(answer.text.contains("\"stars\":\(sent),"), "\(answer.text)")
        }
    }

    @Test("A review is a note of the reader about the book, which a batch creates with the rating, also repeated")
    func review() throws {
        let scenario = try Scenario()
        let (ada, pipeline, note) = (scenario.path("ada"), scenario.pipeline, OwnIDTests.id)
        func batch(_ club: String, _ stars: String) throws -> (status: Int, text: String, events: [String]) {
            let body = #"{"book":"\#(scenario.book)","club":"\#(club)","body":"Never a dull page."}"#
            let answer = try pipeline.send(
                "POST", "/v1/batch",
                #"""
                {"atomic":true,"requests":[{"method":"PUT","path":"/v1/notes/\#(note)","body":\#(body)},
                    {"method":"PUT","path":"\#(ada)","body":{"stars":\#(stars),"noteId":"\#(note)"}}]}
                """#, as: "ada")
            return (
                answer.status, answer.text, pipeline.receive().map { "\($0.kind.name) \($0.operation.name)" }
            )
        }
        let refused = try batch(scenario.club, "4.1")
        #expect(refused.events == [] && refused.text.contains("/stars"), "\(refused)")
        let made = try batch(scenario.club, "4.5")
        #expect(made.events == ["note created", "rating created"] && made.text.contains(#""threshold":"finished""#))
        #expect(try batch(scenario.club, "4.5").events == [])
        #expect(try pipeline.send("GET", "/v1/notes/\(note)", as: "ben").status == 404)
        _ = try pipeline.send(
            "PATCH", "/v1/readings/\(scenario.readings["ben"] ?? "")", #"{"isFinished":true}"#, as: "ben")
        #expect(try pipeline.send("GET", "/v1/notes/\(note)", as: "ben").status == 200)

        let kept = try scenario.rate(#""stars":4"#, as: "ada")
        #expect(kept["noteId"]?.string == note)
        #expect(try scenario.rate(#""stars":4,"noteId":null"#, as: "ada")["noteId"]?.isNull == true)
        let other = try pipeline.make("/v1/books", #"{"title":"Emma"}"#, as: "ada")
        let strangers = [
            try scenario.note(as: "ben"), note.replacing("0", with: "1"),
            try scenario.note(#","club":"\#(scenario.club)","threshold":"everyone""#, as: "ben"),
            try pipeline.make("/v1/notes", #"{"book":"\#(other)","body":"x"}"#, as: "ada"),
        ]
        _ = pipeline.receive()
        for id in strangers {
            let answer = try scenario.rate(#""stars":4,"noteId":"\#(id)""#, as: "ada")
            #expect(answer.status == 422 && answer.pointers == ["/noteId"], "\(answer.text)")
        }
        #expect(try scenario.rate(#""stars":4,"noteId":"x""#, as: "ada").pointers == ["/noteId"])
        #expect(pipeline.receive().isEmpty)
        try scenario.rate(#""stars":4,"noteId":"\#(note)""#, as: "ada")
        _ = pipeline.receive()
        #expect(try scenario.ask("DELETE", ada, as: "ada") == (204, ["rating deleted"]))
        #expect(try pipeline.send("GET", "/v1/notes/\(note)", as: "ada").status == 200)
    }

    @Test("A rating loses its review when the note is deleted: alone, with its entry, or with its club")
    func lostReview() throws {
        let scenario = try Scenario()
        let (ada, pipeline, reading) = (scenario.path("ada"), scenario.pipeline, scenario.readings["ada"] ?? "")
        func name(_ note: String?) throws -> OpenStream {
            let rated = try scenario.rate(#""stars":4,"noteId":"\#(note ?? "")""#, as: "ada")
            #expect(rated.status < 300, "\(rated.text)")
            _ = pipeline.receive()
            return try pipeline.open(ada, as: "ada")
        }
        func expectLoss(_ stream: OpenStream, _ does: () throws -> Int) throws {
            #expect(try does() == 204)
            #expect(try pipeline.deliver(pipeline.receive(), to: [stream]) == [["updated"]])
            #expect(try pipeline.send("GET", ada, as: "ada")["noteId"]?.isNull == true)
        }
        let note = try scenario.note(as: "ada")
        try expectLoss(try name(note)) { try pipeline.send("DELETE", "/v1/notes/\(note)", as: "ada").status }
        let entry = try pipeline.send(
            "POST", "/v1/readings/\(reading)/entries", #"{"progress":1,"note":{"body":"What an end!"}}"#, as: "ada")
        try expectLoss(try name(entry["noteId"]?.string)) {
            let path = "/v1/readings/\(reading)/entries/\(entry["id"]?.string ?? "")"
            return try pipeline.send("DELETE", path, as: "ada").status
        }
        let ben = scenario.path("ben")
        let bens = try scenario.note(#","club":"\#(scenario.club)""#, as: "ben")
        _ = try scenario.rate(#""stars":2,"noteId":"\#(bens)""#, as: "ben")
        _ = pipeline.receive()
        let me = try pipeline.send("GET", "/v1/me", as: "ben")["id"]?.string ?? ""
        let left = "/v1/clubs/\(scenario.club)/members/\(me)?notes=delete"
        #expect(try scenario.ask("DELETE", left, as: "ben").1.contains("rating updated"))
        #expect(try pipeline.send("GET", ben, as: "ben")["noteId"]?.isNull == true)
        let clubs = try scenario.note(#","club":"\#(scenario.club)""#, as: "ada")
        try expectLoss(try name(clubs)) { try pipeline.send("DELETE", "/v1/clubs/\(scenario.club)", as: "ada").status }
    }

    @Test("A deleted reading deletes its rating, with an event, and ends its stream")
    func deletion() throws {
        let scenario = try Scenario()
        let (ada, pipeline, reading) = (scenario.path("ada"), scenario.pipeline, scenario.readings["ada"] ?? "")
        let note = try scenario.note(as: "ada")
        try scenario.rate(#""stars":4,"noteId":"\#(note)""#, as: "ada")
        _ = pipeline.receive()
        let (one, list) = (try pipeline.open(ada, as: "ada"), try pipeline.open("/v1/ratings", as: "ada"))
        #expect(try pipeline.send("DELETE", "/v1/readings/\(reading)", as: "ada").status == 204)
        let changes = pipeline.receive()
        #expect(changes.map { "\($0.kind.name) \($0.operation.name)" } == ["rating deleted", "reading deleted"])
        #expect(try pipeline.deliver(changes, to: [one, list]) == [["deleted", "deleted"], ["leave"]])
        #expect(try scenario.ask("GET", ada, as: "ada") == (404, []))
        #expect(try scenario.ask("PUT", ada, #"{"stars":4}"#, as: "ada") == (404, []))
        #expect(try pipeline.send("GET", "/v1/notes/\(note)", as: "ada").status == 200)
    }

    @Test("A club's average has the latest rating of each member who shares progress in the run, and no name")
    func average() throws {
        let scenario = try Scenario()
        let pipeline = scenario.pipeline
        let none = #"null,"count":0,"stars":[]}"#
        for (name, stars) in [("ada", "4"), ("ben", "3.5"), ("eve", "1")] {
            try scenario.rate("\"stars\":\(stars)", as: name)
        }
        #expect(try scenario.average() == none)
        try scenario.follow(as: "ada", sharing: "milestones")
        #expect(try scenario.average() == #"4,"count":1,"stars":[{"stars":4,"count":1}]}"#)
        try scenario.follow(as: "ben", sharing: "nothing")
        #expect(try scenario.average(as: "ben") == #"4,"count":1,"stars":[{"stars":4,"count":1}]}"#)
        try scenario.follow(as: "ben", sharing: "finished")
        #expect(
            try scenario.average() == #"3.75,"count":2,"stars":[{"stars":4,"count":1},{"stars":3.5,"count":1}]}"#)
        // A reading that is not rated yet does not count, and then in place of the earlier one.
        let again = try pipeline.make("/v1/readings", #"{"book":"\#(scenario.book)","isReread":true}"#, as: "ben")
        #expect(try scenario.average().hasPrefix("3.75,"))
        _ = try pipeline.send("PUT", "/v1/readings/\(again)/rating", #"{"stars":4}"#, as: "ben")
        #expect(try scenario.average() == #"4,"count":2,"stars":[{"stars":4,"count":2}]}"#)
        _ = try pipeline.send("DELETE", "/v1/readings/\(again)/rating", as: "ben")
        #expect(try scenario.average().hasPrefix("3.75,"))
        #expect(try scenario.average(as: "eve") == "404" && scenario.average(of: scenario.club) == "404")
        let me = try pipeline.send("GET", "/v1/me", as: "ben")["id"]?.string ?? ""
        _ = try pipeline.send("DELETE", "/v1/clubs/\(scenario.club)/members/\(me)", as: "ben")
        #expect(try scenario.average() == #"4,"count":1,"stars":[{"stars":4,"count":1}]}"#)
        #expect(try scenario.average(as: "ben") == "404")
    }

    @Test("A stream of a club's average sends a snapshot when it changes, and nothing for ratings that do not count")
    func watched() throws {
        let scenario = try Scenario()
        let (pipeline, path) = (scenario.pipeline, "/v1/clubs/\(scenario.club)/runs/\(scenario.run)/ratings")
        let stream = try pipeline.open(path, as: "ada")
        func check(_ says: String, _ isTold: Bool = true, _ does: () throws -> Void) throws {
            try does()
            let expected = isTold ? ["snapshot"] : []
            #expect(try pipeline.deliver(pipeline.receive(), to: [stream]) == [expected], "\(says)")
        }
        try check("a rating of no standing", false) { try scenario.rate(#""stars":3"#, as: "ben") }
        try check("a standing that shares nothing", false) { try scenario.follow(as: "ben", sharing: "nothing") }
        try check("its sharing") { try scenario.follow(as: "ben", sharing: "finished") }
        try check("another rating") { try scenario.rate(#""stars":5"#, as: "ben") }
        try check("a review", false) {
            try scenario.rate(#""stars":5,"noteId":"\#(try scenario.note(as: "ben"))""#, as: "ben")
        }
        try check("somebody else's", false) { try scenario.rate(#""stars":5"#, as: "eve") }
        try check("one's own") {
            try scenario.rate(#""stars":1"#, as: "ada")
            try scenario.follow(as: "ada", sharing: "exact")
        }
        try check("no sharing") { try scenario.follow(as: "ben", sharing: "nothing") }
        try check("no reading") { _ = try pipeline.send("DELETE", String(scenario.path("ada").dropLast(7)), as: "ada") }
        _ = try pipeline.send("DELETE", String(path.dropLast(8)), as: "ada")
        #expect(try pipeline.deliver(pipeline.receive(), to: [stream]) == [["deleted"]])
    }
}
