import JSON
import Model
import ObservableModels
import SharedByTests
import Store
import Testing

@testable import API

@Suite("Reading pace")
struct PaceTests {
    @Test("A pace is in pages of the book, with a prediction for each goal of the reader's clubs")
    func pages() throws {
        let scenario = try PaceScenario()
        let names = "day timeZone unit perDay days today left doneOn reason"
        #expect(
            scenario.shown(names, of: try scenario.pace()) == "\(scenario.day(0)) UTC page null 0 0 100 null noEntries")
        try scenario.enter(#""page":10"#, -3)
        #expect(scenario.shown("perDay reason days", of: try scenario.pace()) == "null tooFewDays 0")
        try scenario.enter(#""page":20"#, -2)
        try scenario.enter(#""page":30"#, -1)
        try scenario.enter(#""page":34"#, 0)
        try scenario.plan(#""name":"Soon","position":{"page":50}"#, 1)
        try scenario.plan(#""name":"Later","position":{"progress":0.6}"#, 2)
        try scenario.plan(#""book":"\#(scenario.book)","title":"Us""#, 8, isMeeting: true)
        let answer = try scenario.pace()
        #expect(
            scenario.shown(names, of: answer) == "\(scenario.day(0)) UTC page 10 2 4 66 \(scenario.day(6)) null",
            "\(answer.text)")
        #expect(
            scenario.aims("kind name upTo left isReached daysLeft perDay doneOn onTime", of: answer) == [
                "milestone Soon 50 16 false 2 10 \(scenario.day(1)) tight",
                "milestone Later 60 26 false 3 10 \(scenario.day(2)) tight",
                "meeting Us 100 66 false 9 7.777778 \(scenario.day(6)) yes",
            ])
        #expect(answer["isCut"]?.bool == false && answer["edition"]?.isNull == true)
        // A reached milestone is shown as reached, and an overdue one as late.
        try scenario.enter(#""page":50"#, 0)
        #expect(
            scenario.aims("name isReached left perDay doneOn onTime", of: try scenario.pace()).first
                == "Soon true 0 0 null yes"
        )
        try scenario.plan(#""name":"Past","position":{"page":90}"#, -1)
        try scenario.plan(#""name":"Done","position":{"page":9}"#, -1)
        #expect(
            scenario.aims("name isReached daysLeft perDay onTime", of: try scenario.pace()).first
                == "Past false 0 null no")
        #expect(!(try scenario.pace().text.contains("Done")))
    }

    @Test("A pace is in the unit of the edition, also after a switch")
    func editions() throws {
        let scenario = try PaceScenario()
        func edition(_ json: String) throws -> String {
            try scenario.pipeline.make("/v1/books/\(scenario.book)/editions", json, as: "ada")
        }
        func switched(to edition: String) throws -> String {
            let body = #"{"edition":"\#(edition)"}"#
            #expect(
                try scenario.pipeline.send("PATCH", "/v1/readings/\(scenario.reading)", body, as: "ada").status == 200)
            return scenario.shown("unit perDay left", of: try scenario.pace())
        }
        try scenario.plan(#""position":{"progress":0.5}"#, 9)
        let audio = try edition(#"{"format":"audio","length":36000}"#)
        let ebook = try edition(#"{"format":"ebook","storyStart":2,"storyEnd":82}"#)
        let paper = try edition(#"{"format":"paper","length":400,"storyStart":10,"storyEnd":390}"#)
        for (place, day) in [("0.1", -3), ("0.2", -2), ("0.3", -1)] as [(String, Int64)] {
            try scenario.enter(#""progress":\#(place)"#, day)
        }
        #expect(try switched(to: audio) == "second 3600 25200")
        #expect(scenario.aims("upTo left", of: try scenario.pace()) == ["18000 7200"])
        #expect(try switched(to: ebook) == "percent 8 56")
        #expect(scenario.aims("upTo left", of: try scenario.pace()) == ["42 16"])
        #expect(try switched(to: paper) == "page 38 266")
        #expect(scenario.aims("upTo left perDay", of: try scenario.pace()) == ["200 76 7.6"])
        // Without pages the amounts are shares.
        let plain = try scenario.pipeline.make("/v1/books", #"{"title":"Plain"}"#, as: "admin")
        let reading = try scenario.pipeline.make("/v1/readings", #"{"book":"\#(plain)"}"#, as: "ada")
        for (place, day) in [("0.1", -3), ("0.125", -2), ("0.15", -1)] as [(String, Int64)] {
            try scenario.enter(#""progress":\#(place)"#, day, in: reading)
        }
        let answer = try scenario.pace("/v1/readings/\(reading)/pace")
        #expect(scenario.shown("unit perDay left", of: answer) == "progress 0.025 0.85")
    }

    @Test("A reading with a start date counts the first entry's amount since then")
    func began() throws {
        let scenario = try PaceScenario()
        func begin(_ day: Int64) throws -> String {
            let body = #"{"startedAt":"\#(scenario.early(day))"}"#
            #expect(
                try scenario.pipeline.send("PATCH", "/v1/readings/\(scenario.reading)", body, as: "ada").status == 200)
            return scenario.shown("perDay days reason", of: try scenario.pace())
        }
        #expect(try begin(-4) == "null 0 noEntries")
        try scenario.enter(#""page":30"#, -1)
        #expect(scenario.shown("perDay days reason", of: try scenario.pace()) == "10 3 null")
        #expect(try begin(-7) == "5 6 null")
        // It has no effect before the first entry, which determines more.
        #expect(try begin(0) == "null 0 tooFewDays")
    }

    @Test("Entries of a device whose clock is ahead count at the time of receipt, whatever their order")
    func ahead() throws {
        let scenario = try PaceScenario()
        try scenario.enter(#""page":10"#, -2)
        try scenario.enter(#""page":20"#, -1)
        try scenario.enter(#""page":22"#, 1)
        try scenario.enter(#""page":60"#, 0)
        #expect(scenario.shown("today left", of: try scenario.pace()) == "2 78")
        _ = try scenario.pipeline.make("/v1/readings/\(scenario.reading)/entries", #"{"page":60}"#, as: "ada")
        #expect(scenario.shown("today left", of: try scenario.pace()) == "40 40")
        scenario.stand(at: scenario.noon(1))
        #expect(scenario.shown("today left", of: try scenario.pace()) == "0 40")
    }

    @Test("A finished reading has no pace, and a paused one has")
    func states() throws {
        let scenario = try PaceScenario()
        for day: Int64 in -3...(-1) { try scenario.enter(#""page":\#(40 + 10 * day)"#, day) }
        try scenario.plan(#""position":{"progress":0.5}"#, 5)
        for (body, given) in [
            (#"{"state":"paused"}"#, "10 null \(scenario.day(6)) yes"),
            (#"{"state":"abandoned"}"#, "null abandoned null null"),
            (#"{"isFinished":true}"#, "null finished null yes"),
            (#"{"isFinished":false}"#, "10 null \(scenario.day(6)) yes"),
        ] {
            #expect(
                try scenario.pipeline.send("PATCH", "/v1/readings/\(scenario.reading)", body, as: "ada").status == 200)
            let answer = try scenario.pace()
            let onTime = scenario.aims("onTime", of: answer).first ?? "-"
            #expect(
                scenario.shown("perDay reason doneOn", of: answer) + " \(onTime)" == given, "\(body) \(answer.text)")
        }
    }

    @Test(
        "Days follow the settings' time zone, and any number of entries counts by their days"
    )
    func zones() throws {
        let scenario = try PaceScenario()
        for day: Int64 in -3...(-1) {
            for page: Int64 in 1...40 { try scenario.enter(#""page":\#(100 + 20 * day - (40 - page) / 4)"#, day) }
        }
        #expect(scenario.shown("perDay days", of: try scenario.pace()).hasSuffix(" 3"))
        // In Kiribati noon UTC is already the next day: the third day is over there, and another one has begun.
        let zone = #"{"timeZone":"Pacific/Kiritimati"}"#
        #expect(try scenario.pipeline.send("PATCH", "/v1/settings", zone, as: "ada").status == 200)
        let answer = try scenario.pace()
        #expect(scenario.shown("day timeZone", of: answer) == "\(scenario.day(1)) Pacific/Kiritimati")
        #expect(scenario.shown("days", of: answer) == "4")
        #expect(scenario.shown("day", of: try scenario.pace(as: "ada")) == scenario.day(1))
    }

    @Test("A pace is visible only to its reader, and has no goals of clubs that the reader is not in")
    func isPrivate() throws {
        let scenario = try PaceScenario()
        let path = "/v1/readings/\(scenario.reading)/pace"
        let other = try scenario.pipeline.make("/v1/clubs", #"{"name":"Others"}"#, as: "ben")
        _ = try scenario.pipeline.make(
            "/v1/clubs/\(other)/runs", #"{"book":"\#(scenario.book)","state":"current"}"#, as: "ben")
        try scenario.plan(#""name":"Zqxx","position":{"progress":0.5}"#, 3, in: other)
        try scenario.plan(#""book":"\#(scenario.book)","title":"Zqyy""#, 3, isMeeting: true, in: other)
        try scenario.plan(#""name":"Ours","position":{"progress":0.5}"#, 3)
        let alone = try scenario.pace().text
        #expect(alone.contains("Ours") && !alone.contains("Zq") && !alone.contains(other))
        try scenario.join("ada", other)
        #expect(scenario.aims("name", of: try scenario.pace()) == ["Zqxx", "Ours", "Zqyy"])
        let ada = try #require(scenario.ids["ada"])
        #expect(try scenario.pipeline.send("DELETE", "/v1/clubs/\(other)/members/\(ada)", as: "ada").status == 204)
        #expect(try scenario.pace().text == alone)
        for name in ["ben", "admin"] {
            #expect(try scenario.pipeline.send("GET", path, as: name).status == 404)
            let stream = try scenario.pipeline.send("GET", path, as: name, fields: ["Accept: text/event-stream"])
            #expect(stream.status == 404)
        }
    }

    @Test("Of many goals the first hundred are shown")
    func isCut() throws {
        let scenario = try PaceScenario()
        for number in 1...100 { try scenario.plan(#""position":{"progress":0.\#(100 + number)}"#, 2) }
        #expect(try scenario.pace()["isCut"]?.bool == false)
        try scenario.plan(#""name":"Zqxx","position":{"progress":0.5}"#, 3)
        let answer = try scenario.pace()
        #expect(answer["isCut"]?.bool == true && answer["aims"]?.elements.map { $0 }.count == 100)
        #expect(!answer.text.contains("Zqxx"))
    }
}
