import JSON
import Model
import ObservableModels
import SharedByTests
import Store
import Testing

@testable import API

@Suite("Watching a pace")
struct WatchedPaceTests {
    /// A stream of Ada's, and the events it receives.
    private final class Watching {
        let scenario: PaceScenario
        let stream: OpenStream

        init(_ scenario: PaceScenario, _ path: String, as name: String = "ada") throws {
            try scenario.receive()
            self.scenario = scenario
            stream = try scenario.pipeline.open(path, as: name)
        }

        /// Returns the names of the events for the changes since the last call.
        func received() throws -> [String] {
            try scenario.pipeline.deliver(scenario.pipeline.receive(), to: [stream])[0]
        }

        /// Returns the names of the events of a request for new views at a time.
        func received(at now: Instant) throws -> [String] {
            scenario.stand(at: now)
            var frames: [[UInt8]] = []
            let pipeline = scenario.pipeline.pipeline
            for effect in pipeline.models.renew(.day) {
                guard case .renew(let subscription) = effect, subscription === stream.subscription else { continue }
                let (made, through) = try scenario.pipeline.pipeline.renewal(of: stream, urlAt: 0)
                frames += try scenario.pipeline.follow(
                    scenario.pipeline.pipeline.models.sending(made, to: subscription, through: through), stream)
            }
            return frames.map(TestPipeline.name)
        }
    }

    @Test("A stream of a pace sends a snapshot for each change, and nothing else")
    func reading() throws {
        let scenario = try PaceScenario()
        let other = try scenario.pipeline.make("/v1/books", #"{"title":"Other"}"#, as: "admin")
        let beside = try scenario.pipeline.make("/v1/readings", #"{"book":"\#(other)"}"#, as: "ada")
        let others = try scenario.pipeline.make("/v1/readings", #"{"book":"\#(scenario.book)"}"#, as: "ben")
        let second = try scenario.pipeline.make("/v1/clubs", #"{"name":"Others"}"#, as: "ben")
        for (club, book) in [(scenario.club, other), (second, scenario.book), (second, other)] {
            _ = try scenario.pipeline.make(
                "/v1/clubs/\(club)/runs", #"{"book":"\#(book)","state":"planned"}"#, as: "ben")
        }
        let paper = #"{"format":"paper","length":400,"storyStart":10,"storyEnd":390}"#
        let edition = try scenario.pipeline.make("/v1/books/\(scenario.book)/editions", paper, as: "ada")
        let watching = try Watching(scenario, "/v1/readings/\(scenario.reading)/pace")
        func send(_ method: String, _ path: String, _ body: String? = nil, as name: String = "ada") throws {
            let answer = try scenario.pipeline.send(method, path, body, as: name)
            #expect(answer.status < 300, "\(method) \(path): \(answer.text)")
        }
        func check(_ says: String, _ isTold: Bool = true, _ does: () throws -> Void) throws {
            try does()
            #expect(try watching.received() == (isTold ? ["snapshot"] : []), "\(says)")
        }
        let (own, clubs) = ("/v1/readings/\(scenario.reading)", "/v1/clubs/\(scenario.club)")
        var entry = ""
        try check("an entry") { entry = try scenario.enter(#""page":20"#, -1) }
        try check("one from before it, which is not the latest") { try scenario.enter(#""page":10"#, -3) }
        try check("one that says the same", false) { try scenario.enter(#""page":20"#, -1) }
        try check("one of another reading", false) { try scenario.enter(#""progress":0.2"#, -1, in: beside) }
        try check("somebody else's", false) {
            try send("POST", "/v1/readings/\(others)/entries", #"{"progress":0.3}"#, as: "ben")
        }
        try check("one more") { entry = try scenario.enter(#""page":30"#, 0) }
        try check("an undo") { try send("DELETE", "\(own)/entries/\(entry)") }
        var milestone = ""
        try check("a milestone") { milestone = try scenario.plan(#""name":"x","position":{"progress":0.5}"#, 3) }
        try check("its name") { try send("PATCH", "\(clubs)/milestones/\(milestone)", #"{"name":"y"}"#, as: "ben") }
        try check("its place") {
            try send("PATCH", "\(clubs)/milestones/\(milestone)", #"{"position":{"page":60}}"#, as: "ben")
        }
        try check("its time") {
            try send("PATCH", "\(clubs)/milestones/\(milestone)", #"{"dueAt":"\#(scenario.noon(5))"}"#, as: "ben")
        }
        try check("one of another book", false) {
            try scenario.plan(#""book":"\#(other)","position":{"progress":0.5}"#, 3)
        }
        try check("one of another club", false) {
            try scenario.plan(#""book":"\#(scenario.book)","position":{"progress":0.5}"#, 3, in: second)
        }
        try check("a club that one comes to") { try scenario.join("ada", second) }
        try check("what is planned there") {
            try scenario.plan(#""book":"\#(scenario.book)","position":{"progress":0.6}"#, 4, in: second)
        }
        let ada = try #require(scenario.ids["ada"])
        try check("a club that one leaves") { try send("DELETE", "/v1/clubs/\(second)/members/\(ada)") }
        try check("what is planned there then", false) {
            try scenario.plan(#""book":"\#(scenario.book)","position":{"progress":0.7}"#, 4, in: second)
        }
        var meeting = ""
        try check("a meeting") { meeting = try scenario.plan(#""book":"\#(scenario.book)""#, 9, isMeeting: true) }
        try check("what is said at it", false) {
            try send("PATCH", "\(clubs)/meetings/\(meeting)", #"{"agenda":"Who?"}"#, as: "ben")
        }
        try check("up to where it is") {
            try send("PATCH", "\(clubs)/meetings/\(meeting)", #"{"position":{"progress":0.9}}"#, as: "ben")
        }
        try check("that it is off") { try send("DELETE", "\(clubs)/meetings/\(meeting)", as: "ben") }
        try check("who comes to the club", false) { try scenario.join("cem", scenario.club) }
        try check("that the club has read the book") {
            try send("PATCH", "\(clubs)/runs/\(scenario.run)", #"{"state":"read"}"#, as: "ben")
        }
        try check("that it reads it again") {
            try send("PATCH", "\(clubs)/runs/\(scenario.run)", #"{"state":"current"}"#, as: "ben")
        }
        try check("the edition") { try send("PATCH", own, #"{"edition":"\#(edition)"}"#) }
        try check("chapters", false) {
            try send(
                "PUT", "/v1/books/\(scenario.book)/chapters",
                #"{"chapters":[{"label":"1","share":0},{"label":"2","share":0.5}]}"#)
        }
        try check("where they begin in the edition", false) {
            try send("PATCH", "/v1/editions/\(edition)", #"{"anchors":[10,60]}"#)
        }
        try check("a setting that says no time", false) { try send("PATCH", "/v1/settings", #"{"presence":true}"#) }
        try check("another time zone") { try send("PATCH", "/v1/settings", #"{"timeZone":"Europe/Lisbon"}"#) }
        try check("that it is paused", false) { try send("PATCH", own, #"{"state":"paused"}"#) }
        try check("that it is abandoned") { try send("PATCH", own, #"{"state":"abandoned"}"#) }
        try check("that it is finished") { try send("PATCH", own, #"{"isFinished":true}"#) }
        try check("that the club is archived") { try send("PATCH", clubs, #"{"isArchived":true}"#, as: "ben") }
        try send("DELETE", own)
        #expect(try watching.received() == ["deleted"] && watching.stream.subscription.hasEnded)
    }

    @Test(
        "A new day is sent within a quarter of an hour of its beginning in the reader's time zone, and at no other time"
    )
    func days() throws {
        let scenario = try PaceScenario()
        for day: Int64 in -3...(-1) { try scenario.enter(#""page":\#(40 + 10 * day)"#, day) }
        let watching = try Watching(scenario, "/v1/readings/\(scenario.reading)/pace")
        func minutes(_ minutes: Int64) -> Instant {
            Instant(milliseconds: (scenario.today + 1) * 86_400_000 + minutes * 60_000)
        }
        #expect(try watching.received(at: minutes(-1)) == [])
        #expect(try watching.received(at: minutes(14)) == ["snapshot"])
        #expect(try watching.received(at: minutes(29)) == [])
        // A clock that is set back changes the day, too.
        #expect(try watching.received(at: minutes(-20)) == ["snapshot"])
        _ = try scenario.pipeline.send("PATCH", "/v1/settings", #"{"timeZone":"Asia/Kathmandu"}"#, as: "ada")
        #expect(try watching.received() == ["snapshot"])
        // There, midnight is at 18:15 UTC.
        #expect(try watching.received(at: minutes(18 * 60 + 14)) == [])
        #expect(try watching.received(at: minutes(18 * 60 + 15)) == ["snapshot"])
        // A client that reconnects gets the current state, because no change records the end of a day.
        let again = try scenario.pipeline.open(
            "/v1/readings/\(scenario.reading)/pace?after=\(EventID(epoch: scenario.pipeline.pipeline.epoch, seq: try scenario.pipeline.pipeline.reads.head()))",
            as: "ada")
        #expect(again.subscription.needsSnapshot)
    }

    @Test("A club's pace follows its visible standings, with an event when these change")
    func club() throws {
        let scenario = try PaceScenario()
        let (club, path) = ("/v1/clubs/\(scenario.club)", "/v1/clubs/\(scenario.club)/runs/\(scenario.run)/pace")
        func send(_ method: String, _ path: String, _ body: String? = nil, as name: String) throws {
            let answer = try scenario.pipeline.send(method, path, body, as: name)
            #expect(answer.status < 300, "\(method) \(path): \(answer.text)")
        }
        try scenario.join("cem", scenario.club)
        for (share, place) in [(0.3, 2), (0.6, 4)] as [(Double, Int64)] {
            try scenario.plan(#""position":{"progress":\#(share)}"#, place)
        }
        var readings: [String: String] = [:]
        for (name, level) in [("ada", "exact"), ("ben", "milestones"), ("cem", "nothing")] {
            try send("PATCH", "\(club)/members/\(scenario.ids[name] ?? "")", #"{"shares":"\#(level)"}"#, as: name)
            try send("POST", "\(club)/standings", "{}", as: name)
            let list = try scenario.pipeline.send("GET", "/v1/readings", as: name)
            readings[name] = list["items"]?.elements.compactMap { $0["id"]?.string }.first
        }
        func read(_ name: String, _ share: Double) throws {
            try send("POST", "/v1/readings/\(readings[name] ?? "")/entries", #"{"progress":\#(share)}"#, as: name)
        }
        let names = "standings shown finished progress"
        #expect(scenario.shown(names, of: try scenario.pace(path)) == "3 2 0 0")
        let watching = try Watching(scenario, path, as: "cem")
        func check(_ isTold: Bool, _ shown: String, _ aims: [String], _ does: () throws -> Void) throws {
            try does()
            #expect(try watching.received() == (isTold ? ["snapshot"] : []), "\(shown)")
            let answer = try scenario.pace(path)
            #expect(scenario.shown(names, of: answer) == shown, "\(answer.text)")
            #expect(scenario.aims("reached daysLeft perDay", of: answer) == aims, "\(answer.text)")
        }
        try check(true, "3 2 0 0", ["1 3 0.1", "0 5 0.12"]) { try read("ada", 0.45) }
        // Ben is between two milestones, and shares no more: the response is identical.
        let before = try scenario.pace(path).text
        try check(false, "3 2 0 0", ["1 3 0.1", "0 5 0.12"]) { try read("ben", 0.29) }
        try check(false, "3 2 0 0", ["1 3 0.1", "0 5 0.12"]) { try read("cem", 0.99) }
        #expect(try scenario.pace(path).text == before)
        try check(true, "3 2 0 0.3", ["2 3 0", "0 5 0.06"]) { try read("ben", 0.58) }
        try check(true, "3 2 1 0.3", ["2 3 0", "1 5 0.06"]) {
            try send("PATCH", "/v1/readings/\(readings["ada"] ?? "")", #"{"isFinished":true}"#, as: "ada")
        }
        try check(true, "3 1 1 1", ["1 3 0", "1 5 0"]) {
            try send("PATCH", "\(club)/members/\(scenario.ids["ben"] ?? "")", #"{"shares":"nothing"}"#, as: "ben")
        }
        // Everything in it follows from the standings.
        let standings = try scenario.pipeline.send("GET", "\(club)/standings", as: "cem")
        let shown = standings["items"]?.elements.map { PaceScenario.text($0["progress"]) }.sorted() ?? []
        #expect(shown == ["1", "null", "null"])
        #expect(try scenario.pipeline.send("GET", path, as: "admin").status == 404)
        let nowhere = "\(club)/runs/\(scenario.reading)/pace"
        #expect(try scenario.pipeline.send("GET", nowhere, as: "cem").status == 404)
        // A removed resource has no pace.
        let whole = try Watching(scenario, path, as: "ben")
        // A member who leaves can no longer see it.
        try send("DELETE", "\(club)/members/\(scenario.ids["cem"] ?? "")", as: "cem")
        #expect(try watching.received() == ["leave"] && watching.stream.subscription.hasEnded)
        #expect(try scenario.pipeline.send("GET", path, as: "cem").status == 404)
        try scenario.receive()
        try send("DELETE", "\(club)/runs/\(scenario.run)", as: "ben")
        #expect(try whole.received() == ["deleted"] && whole.stream.subscription.hasEnded)
        #expect(try scenario.pipeline.send("GET", path, as: "ben").status == 404)
    }
}
