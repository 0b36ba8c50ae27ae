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
        let room = try PaceRoom()
        let names = "day timeZone unit perDay days today left doneOn reason"
        #expect(
            room.shown(names, of: try room.pace()) == "\(room.day(0)) UTC page null 0 0 100 null noEntries")
        try room.enter(#""page":10"#, -3)
        #expect(room.shown("perDay reason days", of: try room.pace()) == "null tooFewDays 0")
        try room.enter(#""page":20"#, -2)
        try room.enter(#""page":30"#, -1)
        try room.enter(#""page":34"#, 0)
        try room.plan(#""name":"Soon","position":{"page":50}"#, 1)
        try room.plan(#""name":"Later","position":{"progress":0.6}"#, 2)
        try room.plan(#""book":"\#(room.book)","title":"Us""#, 8, isMeeting: true)
        let answer = try room.pace()
        #expect(
            room.shown(names, of: answer) == "\(room.day(0)) UTC page 10 2 4 66 \(room.day(6)) null", "\(answer.text)")
        #expect(
            room.aims("kind name upTo left isReached daysLeft perDay doneOn onTime", of: answer) == [
                "milestone Soon 50 16 false 2 10 \(room.day(1)) tight",
                "milestone Later 60 26 false 3 10 \(room.day(2)) tight",
                "meeting Us 100 66 false 9 7.777778 \(room.day(6)) yes",
            ])
        #expect(answer["isCut"]?.bool == false && answer["edition"]?.isNull == true)
        // A reached milestone is shown as reached, and an overdue one as late.
        try room.enter(#""page":50"#, 0)
        #expect(
            room.aims("name isReached left perDay doneOn onTime", of: try room.pace()).first == "Soon true 0 0 null yes"
        )
        try room.plan(#""name":"Past","position":{"page":90}"#, -1)
        try room.plan(#""name":"Done","position":{"page":9}"#, -1)
        #expect(
            room.aims("name isReached daysLeft perDay onTime", of: try room.pace()).first == "Past false 0 null no")
        #expect(!(try room.pace().text.contains("Done")))
    }

    @Test("A pace is in the unit of the edition, also after a switch")
    func editions() throws {
        let room = try PaceRoom()
        func edition(_ json: String) throws -> String {
            try room.pipeline.make("/v1/books/\(room.book)/editions", json, as: "ada")
        }
        func switched(to edition: String) throws -> String {
            let body = #"{"edition":"\#(edition)"}"#
            #expect(try room.pipeline.send("PATCH", "/v1/readings/\(room.reading)", body, as: "ada").status == 200)
            return room.shown("unit perDay left", of: try room.pace())
        }
        try room.plan(#""position":{"progress":0.5}"#, 9)
        let audio = try edition(#"{"format":"audio","length":36000}"#)
        let ebook = try edition(#"{"format":"ebook","storyStart":2,"storyEnd":82}"#)
        let paper = try edition(#"{"format":"paper","length":400,"storyStart":10,"storyEnd":390}"#)
        for (place, day) in [("0.1", -3), ("0.2", -2), ("0.3", -1)] as [(String, Int64)] {
            try room.enter(#""progress":\#(place)"#, day)
        }
        #expect(try switched(to: audio) == "second 3600 25200")
        #expect(room.aims("upTo left", of: try room.pace()) == ["18000 7200"])
        #expect(try switched(to: ebook) == "percent 8 56")
        #expect(room.aims("upTo left", of: try room.pace()) == ["42 16"])
        #expect(try switched(to: paper) == "page 38 266")
        #expect(room.aims("upTo left perDay", of: try room.pace()) == ["200 76 7.6"])
        // Without pages the amounts are shares.
        let plain = try room.pipeline.make("/v1/books", #"{"title":"Plain"}"#, as: "admin")
        let reading = try room.pipeline.make("/v1/readings", #"{"book":"\#(plain)"}"#, as: "ada")
        for (place, day) in [("0.1", -3), ("0.125", -2), ("0.15", -1)] as [(String, Int64)] {
            try room.enter(#""progress":\#(place)"#, day, in: reading)
        }
        let answer = try room.pace("/v1/readings/\(reading)/pace")
        #expect(room.shown("unit perDay left", of: answer) == "progress 0.025 0.85")
    }

    @Test("A reading with a start date counts the first entry's amount since then")
    func began() throws {
        let room = try PaceRoom()
        func begin(_ day: Int64) throws -> String {
            let body = #"{"startedAt":"\#(room.early(day))"}"#
            #expect(try room.pipeline.send("PATCH", "/v1/readings/\(room.reading)", body, as: "ada").status == 200)
            return room.shown("perDay days reason", of: try room.pace())
        }
        #expect(try begin(-4) == "null 0 noEntries")
        try room.enter(#""page":30"#, -1)
        #expect(room.shown("perDay days reason", of: try room.pace()) == "10 3 null")
        #expect(try begin(-7) == "5 6 null")
        // It has no effect before the first entry, which determines more.
        #expect(try begin(0) == "null 0 tooFewDays")
    }

    @Test("Entries of a device whose clock is ahead count at the time of receipt, whatever their order")
    func ahead() throws {
        let room = try PaceRoom()
        try room.enter(#""page":10"#, -2)
        try room.enter(#""page":20"#, -1)
        try room.enter(#""page":22"#, 1)
        try room.enter(#""page":60"#, 0)
        #expect(room.shown("today left", of: try room.pace()) == "2 78")
        _ = try room.pipeline.make("/v1/readings/\(room.reading)/entries", #"{"page":60}"#, as: "ada")
        #expect(room.shown("today left", of: try room.pace()) == "40 40")
        room.stand(at: room.noon(1))
        #expect(room.shown("today left", of: try room.pace()) == "0 40")
    }

    @Test("A finished reading has no pace, and a paused one has")
    func states() throws {
        let room = try PaceRoom()
        for day: Int64 in -3...(-1) { try room.enter(#""page":\#(40 + 10 * day)"#, day) }
        try room.plan(#""position":{"progress":0.5}"#, 5)
        for (body, said) in [
            (#"{"state":"paused"}"#, "10 null \(room.day(6)) yes"),
            (#"{"state":"abandoned"}"#, "null abandoned null null"),
            (#"{"isFinished":true}"#, "null finished null yes"),
            (#"{"isFinished":false}"#, "10 null \(room.day(6)) yes"),
        ] {
            #expect(try room.pipeline.send("PATCH", "/v1/readings/\(room.reading)", body, as: "ada").status == 200)
            let answer = try room.pace()
            let onTime = room.aims("onTime", of: answer).first ?? "-"
            #expect(room.shown("perDay reason doneOn", of: answer) + " \(onTime)" == said, "\(body) \(answer.text)")
        }
    }

    @Test(
        "Days follow the settings' time zone, and any number of entries counts by their days"
    )
    func zones() throws {
        let room = try PaceRoom()
        for day: Int64 in -3...(-1) {
            for page: Int64 in 1...40 { try room.enter(#""page":\#(100 + 20 * day - (40 - page) / 4)"#, day) }
        }
        #expect(room.shown("perDay days", of: try room.pace()).hasSuffix(" 3"))
        // In Kiribati noon UTC is already the next day: the third day is over there, and another one has begun.
        let zone = #"{"timeZone":"Pacific/Kiritimati"}"#
        #expect(try room.pipeline.send("PATCH", "/v1/settings", zone, as: "ada").status == 200)
        let answer = try room.pace()
        #expect(room.shown("day timeZone", of: answer) == "\(room.day(1)) Pacific/Kiritimati")
        #expect(room.shown("days", of: answer) == "4")
        #expect(room.shown("day", of: try room.pace(as: "ada")) == room.day(1))
    }

    @Test("A pace is visible only to its reader, and has no goals of clubs that the reader is not in")
    func isPrivate() throws {
        let room = try PaceRoom()
        let path = "/v1/readings/\(room.reading)/pace"
        let other = try room.pipeline.make("/v1/clubs", #"{"name":"Others"}"#, as: "ben")
        _ = try room.pipeline.make("/v1/clubs/\(other)/runs", #"{"book":"\#(room.book)","state":"current"}"#, as: "ben")
        try room.plan(#""name":"Zqxx","position":{"progress":0.5}"#, 3, in: other)
        try room.plan(#""book":"\#(room.book)","title":"Zqyy""#, 3, isMeeting: true, in: other)
        try room.plan(#""name":"Ours","position":{"progress":0.5}"#, 3)
        let alone = try room.pace().text
        #expect(alone.contains("Ours") && !alone.contains("Zq") && !alone.contains(other))
        try room.join("ada", other)
        #expect(room.aims("name", of: try room.pace()) == ["Zqxx", "Ours", "Zqyy"])
        let ada = try #require(room.ids["ada"])
        #expect(try room.pipeline.send("DELETE", "/v1/clubs/\(other)/members/\(ada)", as: "ada").status == 204)
        #expect(try room.pace().text == alone)
        for name in ["ben", "admin"] {
            #expect(try room.pipeline.send("GET", path, as: name).status == 404)
            let stream = try room.pipeline.send("GET", path, as: name, fields: ["Accept: text/event-stream"])
            #expect(stream.status == 404)
        }
    }

    @Test("Of many goals the first hundred are shown")
    func isCut() throws {
        let room = try PaceRoom()
        for number in 1...100 { try room.plan(#""position":{"progress":0.\#(100 + number)}"#, 2) }
        #expect(try room.pace()["isCut"]?.bool == false)
        try room.plan(#""name":"Zqxx","position":{"progress":0.5}"#, 3)
        let answer = try room.pace()
        #expect(answer["isCut"]?.bool == true && answer["aims"]?.elements.map { $0 }.count == 100)
        #expect(!answer.text.contains("Zqxx"))
    }
}
