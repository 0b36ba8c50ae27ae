import API
import Foundation
import JSON
import SharedByTests
import Store
import Testing

@Suite("Deleted accounts", .serialized)
struct LeavingTests {
    /// A service with Zorbo, whose texts contain unique words wherever possible, and Ben, who is in a club with Zorbo.
    private struct Scenario {
        let service: TestService
        let zorbo: String
        let ben: String
        let zorboID: String
        let book: String
        let club: String
        let alone: String
        var notes: [String] = []
        var head = ""

        init() throws {
            service = try TestService { $0.store.deletedEntriesSliceMax = 7 }
            zorboID = try service.make("/v1/readers", #"{"name":"Xqzorbo"}"#)
            let body = #"{"name":"Xqtoken","reader":"\#(zorboID)"}"#
            zorbo =
                try service.send("POST", "/v1/tokens", body, fields: ["Idempotency-Key: admin-1"])["token"]?.string
                ?? ""
            ben = try service.reader("ben")
            book = try service.make("/v1/books", #"{"title":"Emma","pageCount":100}"#)
            club = try service.make("/v1/clubs", #"{"name":"Tuesdays","visibility":"listed"}"#, token: zorbo)
            alone = try service.make("/v1/clubs", #"{"name":"Xqalone","visibility":"listed"}"#, token: zorbo)
            head = try service.head(token: ben)
            try fill()
        }

        private mutating func fill() throws {
            let code =
                try service.send("POST", "/v1/clubs/\(club)/invitations", "{}", token: zorbo)["code"]?.string ?? ""
            _ = try service.make("/v1/memberships", #"{"invitation":"\#(code)"}"#, token: ben)
            head = try service.head(token: ben)
            let key = ["Idempotency-Key: xqkey"]
            for number in 0..<25 {
                let place = #""position":{"progress":0.5,"locator":"Xqlocator\#(number)"},"threshold":"everyone""#
                let note = #"{"book":"\#(book)","club":"\#(club)",\#(place),"body":"Xqclubword\#(number) and a word"}"#
                notes.append(try service.make("/v1/notes", note, token: zorbo))
                _ = try service.make(
                    "/v1/notes", #"{"book":"\#(book)","body":"Xqprivate\#(number) words"}"#, token: zorbo)
            }
            _ = try service.send(
                "PATCH", "/v1/notes/\(notes[3])", #"{"body":"Xqedited once"}"#, token: zorbo, fields: key)
            _ = try service.send("DELETE", "/v1/notes/\(notes[4])", token: zorbo)
            // Clubs that end with requests to join them, one open and one declined. Ben keeps his copies of both.
            let request = #"{"club":"\#(alone)","message":"May I?"}"#
            _ = try service.make("/v1/requests", request, token: ben)
            let second = try service.make("/v1/clubs", #"{"name":"Xqsecond","visibility":"listed"}"#, token: zorbo)
            let declined = try service.make("/v1/requests", #"{"club":"\#(second)"}"#, token: ben)
            #expect(
                try service.send("PATCH", "/v1/requests/\(declined)", #"{"state":"declined"}"#, token: zorbo).status
                    == 200)
            let other = #"{"book":"\#(book)","club":"\#(alone)","body":"Xqlonely"}"#
            _ = try service.make("/v1/notes", other, token: zorbo)
            _ = try service.make("/v1/notes", #"{"replyTo":"\#(notes[0])","body":"I answer"}"#, token: ben)
            // Ben's own reply shows Zorbo's text.
            _ = try service.send(
                "PUT", "/v1/notes/\(notes[0])/reactions/laugh", token: ben, fields: ["Idempotency-Key: k"])
            let reading = try service.make("/v1/readings", #"{"book":"\#(book)"}"#, token: zorbo)
            for number in 1...20 {
                let entry = #"{"page":\#(number),"note":"Xqentry\#(number)","device":"Xqdevice"}"#
                _ = try service.make("/v1/readings/\(reading)/entries", entry, token: zorbo)
            }
            let rating = #"{"stars":0.5,"noteId":"\#(notes[6])"}"#
            #expect(try service.send("PUT", "/v1/readings/\(reading)/rating", rating, token: zorbo).status == 201)
            _ = try service.send(
                "PUT", "/v1/books/\(book)/knowledge", #"{"through":{"page":7,"locator":"Xqknowing"}}"#, token: zorbo)
            for place in ["", #","club":"\#(club)","threshold":"everyone""#] {
                let note = #"{"page":30,"note":{"quote":"Xqcited words"\#(place)}}"#
                _ = try service.make("/v1/readings/\(reading)/entries", note, token: zorbo)
            }
            _ = try service.make("/v1/clubs/\(club)/runs", #"{"book":"\#(book)","state":"current"}"#, token: zorbo)
            _ = try service.make("/v1/clubs/\(club)/standings", #"{"book":"\#(book)"}"#, token: zorbo)
            let shelf = try service.make("/v1/shelves", #"{"name":"Xqshelf","club":"\#(club)"}"#, token: zorbo)
            _ = try service.send("PUT", "/v1/shelves/\(shelf)/books/\(book)", "{}", token: zorbo)
            _ = try service.send("PUT", "/v1/scenes/Xqphone/draft", #"{"value":{"note":"Xqscene"}}"#, token: zorbo)
            _ = try service.send("POST", "/v1/clubs/\(club)/calendars", token: zorbo)
            _ = try service.send("POST", "/v1/streams", #"{"watch":{"Xqname":"/v1/me"}}"#, token: zorbo)
            try report()
            let bens = try service.make("/v1/clubs", #"{"name":"Bens","visibility":"listed"}"#, token: ben)
            try leaveNameless(bens)
            _ = try service.make("/v1/requests", #"{"club":"\#(bens)","message":"Xqplease"}"#, token: zorbo)
        }

        /// Makes Zorbo leave a club of Ben's with nameless notes, to which Ben has replied since.
        private func leaveNameless(_ bens: String) throws {
            let code =
                try service.send("POST", "/v1/clubs/\(bens)/invitations", "{}", token: ben)["code"]?.string ?? ""
            _ = try service.make("/v1/memberships", #"{"invitation":"\#(code)"}"#, token: zorbo)
            let body = #"{"book":"\#(book)","club":"\#(bens)","position":{"progress":0},"body":"Xqnameless"}"#
            let note = try service.make("/v1/notes", body, token: zorbo)
            let path = "/v1/clubs/\(bens)/members/\(zorboID)?notes=nameless"
            #expect(try service.send("DELETE", path, token: zorbo).status == 204)
            let love = try service.send(
                "PUT", "/v1/notes/\(note)/reactions/love", token: ben, fields: ["Idempotency-Key: n"])
            #expect(love.status == 200 && love.text.contains("Xqnameless") && !love.text.contains("Xqzorbo"))
            _ = try service.make(
                "/v1/reports", #"{"about":"note","subject":"\#(note)","reason":"spam"}"#, token: ben)
        }

        /// Creates reports by both, a decision by Zorbo, and Ben's block of Zorbo.
        private func report() throws {
            func report(_ subject: String, _ about: String, _ token: String, _ text: String) throws -> String {
                try service.make(
                    "/v1/reports",
                    #"{"about":"\#(about)","subject":"\#(subject)","reason":"spam","text":"\#(text)"}"#, token: token)
            }
            _ = try report(notes[5], "note", ben, "so it is")
            _ = try report(zorboID, "reader", ben, "so is he")
            _ = try report(alone, "club", ben, "what is this")
            let cem = try service.reader("cem")
            let code =
                try service.send("POST", "/v1/clubs/\(club)/invitations", "{}", token: zorbo)["code"]?.string ?? ""
            _ = try service.make("/v1/memberships", #"{"invitation":"\#(code)"}"#, token: cem)
            let note = try service.make(
                "/v1/notes", #"{"book":"\#(book)","club":"\#(club)","threshold":"everyone","body":"I answer"}"#,
                token: cem)
            let other = try report(note, "note", ben, "as well")
            _ = try report(note, "note", zorbo, "Xqreported")
            let decision = #"{"outcome":"dismissed","remark":"Xqremark"}"#
            #expect(try service.send("PATCH", "/v1/reports/\(other)", decision, token: zorbo).status == 200)
            #expect(try service.send("DELETE", "/v1/notes/\(note)", token: cem).status == 204)
            let cems = try service.send("GET", "/v1/me", token: cem)["id"]?.string ?? ""
            #expect(try service.send("DELETE", "/v1/clubs/\(club)/members/\(cems)", token: cem).status == 204)
            #expect(try service.send("PUT", "/v1/me/blocks/\(zorboID)", token: ben).status == 201)
            #expect(try service.send("GET", "/v1/notes/\(notes[0])", token: ben).status == 404)
        }

        func waitUntilGone() throws -> Bool {
            try eventually { try service.metric("lectern_erasing") == 0 }
        }

        /// Returns the words of more than five letters that begin with xq or Xq, each with its page. Words of mixed case
        /// are parts of random codes.
        private static func marked(_ data: Data) -> [String] {
            data.withUnsafeBytes { bytes in
                var found: [String] = []
                var index = 0
                while index < bytes.count {
                    guard bytes[index] | 0x20 == 0x78 else {
                        index += 1
                        continue
                    }
                    let word = bytes[index...].prefix { (0x61...0x7A).contains($0 | 0x20) }
                    let isLower = word.dropFirst().allSatisfy { $0 & 0x20 != 0 }
                    if word.count > 5, isLower, bytes[index + 1] == 0x71 {
                        found.append("\(index / 4096): \(String(decoding: word, as: UTF8.self))")
                    }
                    index += 1
                }
                return found
            }
        }

        /// Returns the remaining words in the files that only Zorbo used.
        func traces() throws -> [String] {
            var found: [String] = []
            for name in try FileManager.default.contentsOfDirectory(atPath: service.directory) {
                guard let bytes = FileManager.default.contents(atPath: service.directory + "/" + name) else { continue }
                found += Self.marked(bytes).map { "\(name) \($0)" }
            }
            return Array(Set(found)).sorted()
        }
    }

    @Test("No byte of the files has a deleted reader's words, and others find everything unchanged")
    func traces() throws {
        let scenario = try Scenario()
        let service = scenario.service
        #expect(try !scenario.traces().isEmpty)
        let stream = try StreamReader(service, "/v1/clubs/\(scenario.club)/notes", token: scenario.ben)
        _ = stream
        #expect(try service.send("DELETE", "/v1/readers/\(scenario.zorboID)", token: scenario.zorbo).status == 400)
        #expect(
            try service.send("DELETE", "/v1/readers/\(scenario.zorboID)?confirm=xqzorbo", token: scenario.zorbo).status
                == 400)
        let key = ["Idempotency-Key: xqleave"]
        #expect(
            try service.send(
                "DELETE", "/v1/readers/\(scenario.zorboID)?confirm=Xqzorbo", token: scenario.zorbo, fields: key
            ).status == 204)
        #expect(try service.send("GET", "/v1/me", token: scenario.zorbo).status == 401)
        #expect(try service.send("GET", "/v1/readers/\(scenario.zorboID)").status == 404)
        #expect(try scenario.waitUntilGone())
        let left = try scenario.traces()
        #expect(left == [])
        let notes = try service.send("GET", "/v1/clubs/\(scenario.club)/notes?limit=100", token: scenario.ben)["items"]?
            .elements
        let bodies = notes.map { Array($0).map { $0["body"]?.string ?? "" } } ?? []
        #expect(bodies.filter { $0 == "" }.count == 25 && bodies.filter { $0 == "I answer" }.count == 1)
        let members = try service.send("GET", "/v1/clubs/\(scenario.club)/members", token: scenario.ben)["items"]?
            .elements
        #expect(members?.map { $0["role"]?.string ?? "" } == ["owner"])
        #expect(try service.send("GET", "/v1/clubs/\(scenario.alone)", token: scenario.ben).status == 404)
        // The log has no gap, and its events are consistent with the rows.
        let page = try service.send("GET", "/v1/changes?limit=100&after=\(scenario.head)", token: scenario.ben)
        let numbers = page["items"].map { Array($0.elements).compactMap { $0["seq"]?.integer } } ?? []
        #expect(numbers.count > 50 && numbers == numbers.sorted())
        let received = page["items"].map { Array($0.elements).compactMap { $0["value"]?["body"]?.string } } ?? []
        #expect(Set(received) == ["", "I answer"])
        service.stop()
        #expect(try Store.check(directory: service.directory) == [])
        try service.restart()
        #expect(try scenario.traces() == [])
    }
}
