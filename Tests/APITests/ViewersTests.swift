import API
import Foundation
import JSON
import SharedByTests
import Testing

/// What is seen of the same run by everybody who could ask, byte for byte, against the rules said a second time.
@Suite("The same run in everybody's eyes", .serialized, .ownThreads)
struct ViewersTests {
    private enum Viewer: CaseIterable { case owner, moderator, member, former, stranger, administrator }
    private enum Audience: String, CaseIterable { case me, moderators, club }

    private struct Written {
        let id: String
        let author: Viewer
        let audience: Audience
        let progress: Double
    }

    /// How far each has read.
    private static func reach(_ viewer: Viewer) -> Double {
        switch viewer {
        case .owner, .stranger, .administrator: 0
        case .moderator: 0.3
        case .member: 0.6
        case .former: 1
        }
    }

    private static func isMember(_ viewer: Viewer) -> Bool { [.owner, .moderator, .member].contains(viewer) }

    private static func isFor(_ viewer: Viewer, _ note: Written) -> Bool {
        switch note.audience {
        case .me: false
        case .moderators: viewer == .owner || viewer == .moderator
        case .club: isMember(viewer)
        }
    }

    private static func sees(_ viewer: Viewer, _ note: Written) -> Bool {
        viewer == note.author || isFor(viewer, note) && note.progress <= reach(viewer)
    }

    private struct Run {
        let story: AudienceStory
        let tokens: [Viewer: String]
        var notes: [Written] = []

        init() throws {
            story = try AudienceStory(club: ",\"countsAhead\":true")
            let (service, club) = (story.service, story.club)
            tokens = [
                .owner: club.ada, .moderator: story.mia, .member: club.ben, .former: story.cem, .stranger: story.dan,
                .administrator: service.token,
            ]
            for viewer in [Viewer.moderator, .member, .former] {
                let token = tokens[viewer] ?? ""
                let body = "{\"book\":\"\(club.book)\"}"
                let reading =
                    viewer == .member ? club.reading : try service.make("/v1/readings", body, token: token)
                let entry = "{\"progress\":\(ViewersTests.reach(viewer))}"
                _ = try service.make("/v1/readings/\(reading)/entries", entry, token: token)
            }
            for author in [Viewer.owner, .member, .former] {
                for audience in Audience.allCases {
                    for progress in [0, 0.25, 0.5, 0.9] {
                        let shared = ",\"club\":\"\(club.club)\",\"audience\":\"\(audience.rawValue)\""
                        let id = try story.note(
                            tokens[author] ?? "", audience == .me ? "" : shared, body: "words", progress: "\(progress)")
                        notes.append(Written(id: id, author: author, audience: audience, progress: progress))
                    }
                }
            }
            for note in notes where note.progress == 0 && note.audience != .me {
                let path = "/v1/notes/\(note.id)/reactions/love"
                #expect(try service.send("PUT", path, token: club.ada).status == 200)
            }
            let own = "\(story.path)/members/\(story.cemID)"
            #expect(try service.send("DELETE", own, token: story.cem).status == 204)
        }

        func get(_ path: String, _ viewer: Viewer) throws -> Answer {
            try story.service.send("GET", path, token: tokens[viewer])
        }

        /// The ids of those notes, newest first, as lists have them.
        func ids(where condition: (Written) -> Bool) -> [String] { notes.filter(condition).map(\.id).reversed() }
    }

    private static func items(_ answer: Answer) -> [JSONValue] { answer["items"].map { Array($0.elements) } ?? [] }

    private static func text(_ value: JSONValue) -> String { String(decoding: value.encoded, as: UTF8.self) }

    @Test(
        "Each sees what is for them and where they have been, as its author has it, and of all else not even that it is there"
    )
    func views() throws {
        let run = try Run()
        let (story, nowhere) = (run.story, run.story.club.book)
        for viewer in Viewer.allCases {
            for note in run.notes {
                let answer = try run.get("/v1/notes/\(note.id)", viewer)
                let none = try run.get("/v1/notes/\(nowhere)", viewer)
                guard Self.sees(viewer, note) else {
                    #expect(answer.said == none.said.replacing(nowhere, with: note.id), "\(viewer) \(note)")
                    continue
                }
                // Its author, unless they have gone, has it as everybody else does.
                let whole = try run.get("/v1/notes/\(note.id)", note.author == .former ? .owner : note.author)
                let isWhole = viewer != .former || note.audience == .me
                if whole.status == 200, isWhole { #expect(answer.text == whole.text, "\(viewer) \(note)") }
                if !isWhole { #expect(answer["reactions"]?.members.isEmpty == true) }
            }
            let own = try run.get("/v1/notes?limit=100", viewer)
            #expect(Self.items(own).compactMap { $0["id"]?.string } == run.ids { $0.author == viewer }, "\(viewer)")
        }
        for viewer in Viewer.allCases {
            for query in ["?limit=100", "?limit=100&sort=-createdAt&q=words"] {
                let list = try run.get("\(story.path)/notes\(query)", viewer)
                guard Self.isMember(viewer) else {
                    let none = try run.get("/v1/clubs/\(nowhere)/notes\(query)", viewer)
                    #expect(list.said == none.said.replacing(nowhere, with: story.club.club), "\(viewer)")
                    continue
                }
                let expected = run.ids { $0.audience != .me && Self.sees(viewer, $0) }
                #expect(Self.items(list).compactMap { $0["id"]?.string } == expected, "\(viewer)")
                for item in Self.items(list) {
                    let one = try run.get("/v1/notes/\(item["id"]?.string ?? "")", viewer)
                    #expect(Self.text(item) == one.text)
                }
                let ahead = run.notes.filter { Self.isFor(viewer, $0) && !Self.sees(viewer, $0) }
                #expect(list["ahead"]?.integer == Int64(ahead.count), "\(viewer)")
            }
        }
    }

    @Test("What the log tells each is of notes that they see, as they are, or were; and of nothing else")
    func told() throws {
        let run = try Run()
        let epoch = try run.story.service.head(token: run.story.dan).split(separator: "-")[0]
        for viewer in Viewer.allCases {
            var (last, cursor): ([String: String], String) = ([:], "\(epoch)-0")
            while true {
                let page = try run.get("/v1/changes?limit=100&after=\(cursor)", viewer)
                for change in Self.items(page) where change["resource"]?.string == "note" {
                    guard let value = change["value"] else { continue }
                    last[change["id"]?.string ?? ""] = Self.text(value)
                }
                let next = page["next"]?.string ?? ""
                if next == cursor || Self.items(page).isEmpty { break }
                cursor = next
            }
            // Who has gone is told what is theirs alone.
            let seen = run.notes.filter { Self.sees(viewer, $0) && (viewer != .former || $0.audience == .me) }
            #expect(Set(last.keys) == Set(seen.map(\.id)), "\(viewer)")
            for note in seen {
                #expect(try last[note.id] == run.get("/v1/notes/\(note.id)", viewer).text, "\(viewer)")
            }
        }
    }
}
