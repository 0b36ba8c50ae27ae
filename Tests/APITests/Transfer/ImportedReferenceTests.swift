import Foundation
import JSON
import SharedByTests
import Testing

@testable import API

@Suite("References and times in imported lines", .serialized, .ownThreads)
struct ImportedReferenceTests {
    private func lines(of kind: String, in service: TestService) throws -> [String] {
        try service.lines("/v1/admin/export").filter { $0.hasPrefix("{\"kind\":\"\(kind)\"") }
    }

    @Test("A claim of another reader's resource is refused at its reader")
    func claims() throws {
        let story = try ClubStory()
        let ada = try story.service.send("GET", "/v1/me", token: story.ada)["id"]?.string ?? ""
        let note = try story.note("0")
        let digest = String(repeating: "0", count: 64)
        for (kind, id, owner, other) in [
            ("reading", story.reading, story.benID, ada), ("note", note, ada, story.benID),
            ("shelf", ada, ada, story.benID),
        ] {
            func claim(_ reader: String) -> String {
                """
                {"kind":"claim","id":"\(id)","of":"\(kind)","reader":"\(reader)","digest":"\(digest)"}
                """
            }
            let refused = try story.service.bring([claim(other)])
            #expect(refused["created"]?.integer == 0 && refused.text.contains("\"/reader\""), "\(refused.text)")
            #expect(try story.service.bring([claim(owner)])["created"]?.integer == 1)
        }
    }

    @Test("A note and a meeting that name a run of another club are refused at the run; the run may be deleted since")
    func runs() throws {
        let story = try ClubStory()
        let service = story.service
        try story.choose()
        _ = try story.note("0")
        _ = try service.make(
            "/v1/clubs/\(story.club)/meetings",
            #"{"title":"First","startsAt":"2120-01-02T03:04:05.678Z","book":"\#(story.book)"}"#, token: story.ada)
        let run = try #require(
            try service.send("GET", "/v1/clubs/\(story.club)/runs", token: story.ada)["items"]?.elements.first { _ in
                true
            }?["id"]?.string)
        let club = try service.make("/v1/clubs", #"{"name":"Others"}"#, token: story.ada)
        let other = try service.make("/v1/clubs/\(club)/runs", "{\"book\":\"\(story.book)\"}", token: story.ada)
        let whole = Array(try service.lines("/v1/admin/export").dropFirst().dropLast())
        for kind in ["note", "meeting"] {
            let line = try #require(whole.first { $0.hasPrefix("{\"kind\":\"\(kind)\"") })
            #expect(line.contains(run))
            let to = try TestService()
            let rest = try to.bring(whole.filter { $0 != line })
            #expect(rest.text.contains("\"refused\":[]"), "\(rest.text)")
            let refused = try to.bring([line.replacing(run, with: other)])
            #expect(refused["created"]?.integer == 0 && refused.text.contains("\"/run\""), "\(refused.text)")
            #expect(try to.bring([line.replacing(run, with: OwnIDTests.id)])["created"]?.integer == 1)
        }
    }

    @Test("An edition with anchors is refused before the chapters of its book, and taken after them")
    func anchors() throws {
        let story = try ClubStory()
        let service = story.service
        let edition = try service.make("/v1/books/\(story.book)/editions", EditionTests.paper, token: story.ben)
        let chapters = "/v1/books/\(story.book)/chapters"
        #expect(try service.send("PUT", chapters, #"{"chapters":[{"title":"A"},{"title":"B"}]}"#).status == 201)
        let anchors = try service.send("PATCH", "/v1/editions/\(edition)", #"{"anchors":[10,200]}"#, token: story.ben)
        #expect(anchors.status == 200, "\(anchors.text)")
        let account = "\"account\":\"\(story.benID)\","
        let lines = try service.lines("/v1/me/export", token: story.ben).dropFirst().dropLast()
        let early = lines.filter { !$0.hasPrefix("{\"kind\":\"chapters\"") }
        for (path, more) in [("/v1/admin/import", ""), ("/v1/me/import", account)] {
            let to = try TestService()
            let refused = try to.bring(early, path, more: more)["refused"].map { Array($0.elements) } ?? []
            let first = refused.first?["problem"]?["violations"]?.elements.first { _ in true }
            #expect(first?["pointer"]?.string == "/anchors" && refused.count == 1, "\(refused)")
            #expect(try to.bring(Array(lines), path, more: more).text.contains("\"refused\":[]"))
            let got = try to.send("GET", "/v1/editions/\(edition)")
            #expect(got["anchors"]?.elements.compactMap(\.double) == [10, 200], "\(got.text)")
        }
    }

    @Test("Whether an imported meeting has begun and a milestone is due follows from its time")
    func times() throws {
        let story = try ClubStory()
        let service = story.service
        try story.choose()
        let later = "2120-01-02T03:04:05.678Z"
        let meeting = try service.make(
            "/v1/clubs/\(story.club)/meetings", #"{"title":"First","startsAt":"\#(later)"}"#, token: story.ada)
        let milestone = try service.make(
            "/v1/clubs/\(story.club)/milestones", #"{"name":"Half","position":{"progress":0.5},"dueAt":"\#(later)"}"#,
            token: story.ada)
        let whole = Array(try service.lines("/v1/admin/export").dropFirst().dropLast())
        for isPast in [false, true] {
            let to = try TestService()
            let changed = whole.map { line in
                let flags = line.replacing(#""hasBegun":false"#, with: #""hasBegun":\#(!isPast)"#)
                    .replacing(#""isDue":false"#, with: #""isDue":\#(!isPast)"#)
                return isPast ? flags.replacing(later, with: "2020-01-02T03:04:05.678Z") : flags
            }
            #expect(changed != whole || isPast)
            let answer = try to.bring(changed)
            #expect(answer.text.contains("\"refused\":[]"), "\(answer.text)")
            let got = try lines(of: "meeting", in: to) + lines(of: "milestone", in: to)
            #expect(got.count == 2 && got[0].contains(meeting) && got[1].contains(milestone))
            #expect(got[0].contains("\"hasBegun\":\(isPast)") && got[1].contains("\"isDue\":\(isPast)"), "\(got)")
            #expect(try to.bring(changed)["unchanged"]?.integer == Int64(changed.count))
        }
    }
}
