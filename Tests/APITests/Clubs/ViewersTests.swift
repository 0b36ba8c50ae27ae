import API
import Foundation
import JSON
import SharedByTests
import Testing

/// Tests of one run's representation for every kind of viewer, byte for byte, against a second implementation of the
/// rules.
@Suite("The same run for each member", .serialized, .ownThreads)
struct ViewersTests {
    static func items(_ answer: Answer) -> [JSONValue] { answer["items"].map { Array($0.elements) } ?? [] }

    static func text(_ value: JSONValue) -> String { String(decoding: value.encoded, as: UTF8.self) }

    @Test(
        "Each reader sees the notes that are visible to them, as the author wrote them, and no trace of others"
    )
    func views() throws {
        let run = try ClubRun()
        let (story, nowhere) = (run.story, run.story.club.book)
        for viewer in Viewer.allCases {
            for note in run.notes {
                let answer = try run.get("/v1/notes/\(note.id)", viewer)
                let none = try run.get("/v1/notes/\(nowhere)", viewer)
                guard Self.sees(viewer, note) else {
                    #expect(answer.given == none.given.replacing(nowhere, with: note.id), "\(viewer) \(note)")
                    continue
                }
                // The author sees the note as everyone else does, unless they have left the club.
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
                    #expect(list.given == none.given.replacing(nowhere, with: story.club.club), "\(viewer)")
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

    @Test("The log shows each reader only notes that they can see, as they are or were")
    func received() throws {
        let run = try ClubRun()
        for viewer in Viewer.allCases {
            let last = try run.last("note", viewer)
            // A former member receives only their private notes.
            let seen = run.notes.filter { Self.sees(viewer, $0) && (viewer != .former || $0.audience == .me) }
            #expect(Set(last.keys) == Set(seen.map(\.id)), "\(viewer)")
            for note in seen {
                #expect(try last[note.id] == run.get("/v1/notes/\(note.id)", viewer).text, "\(viewer)")
            }
        }
    }

    @Test(
        "Each member sees the others' positions as far as they share them, also in the log"
    )
    func standings() throws {
        let run = try ClubRun()
        let (path, nowhere) = (run.story.path, run.story.club.book)
        for viewer in Viewer.allCases {
            var seen: [String: String] = [:]
            let list = try run.get("\(path)/standings", viewer)
            guard Self.isMember(viewer) else {
                let none = try run.get("/v1/clubs/\(nowhere)/standings", viewer)
                #expect(list.given == none.given.replacing(nowhere, with: run.story.club.club), "\(viewer)")
                #expect(try run.last("standing", viewer) == seen, "\(viewer)")
                continue
            }
            let isModerator = viewer == .owner || viewer == .moderator
            let expected = [Viewer.moderator, .member, .pupil].compactMap { of -> [String]? in
                guard let (all, apart) = Self.shares(of) else { return nil }
                return [run.ids[of] ?? ""] + Self.shown(of, isModerator ? apart ?? all : all)
            }
            let shown = Self.items(list).map { one in
                [one["reader"]?.string ?? "", "\(one["progress"]?.double ?? -1)", one["state"]?.string ?? ""]
            }
            #expect(shown == expected, "\(viewer)")
            for one in Self.items(list) {
                let id = one["id"]?.string ?? ""
                seen[id] = Self.text(one)
                #expect(try run.get("\(path)/standings/\(id)", viewer).text == Self.text(one), "\(viewer)")
            }
            let same = try run.get("\(path)/standings", isModerator ? .owner : .pupil)
            #expect(Self.items(list).map(Self.text) == Self.items(same).map(Self.text))
            #expect(try run.last("standing", viewer) == seen, "\(viewer)")
        }
    }

    @Test(
        "A guardian gets the same responses as the managed reader, except for private data; nobody else finds that reader"
    )
    func pupil() throws {
        let run = try ClubRun()
        let (service, ida) = (run.story.service, run.ids[.pupil] ?? "")
        let scene = try service.send("PUT", "/v1/scenes/phone/draft", "{\"value\":1}", token: run.tokens[.pupil])
        let block = try service.send("PUT", "/v1/me/blocks/\(run.ids[.member] ?? "")", token: run.tokens[.pupil])
        #expect(scene.status == 201 && block.status == 201)
        let own = try service.lines("/v1/me/export", token: run.tokens[.pupil] ?? "")
        let secret = run.notes.filter { $0.author == .pupil && $0.audience != .club }.map(\.id)
        let open = own.dropLast().filter { line in
            !secret.contains { line.contains("\"id\":\"\($0)\"") }
                && !line.hasPrefix("{\"kind\":\"scene\"")
        }
        #expect(open.count == own.count - 1 - secret.count - 1)
        #expect(!own.contains { $0.hasPrefix("{\"kind\":\"block\"") })
        let path = "/v1/me/export?reader=\(ida)"
        #expect(try service.lines(path, token: run.tokens[.guardian] ?? "").dropLast() == open)
        for viewer in Viewer.allCases where viewer != .guardian {
            let nowhere = run.story.club.book
            let none = try run.get("/v1/me/export?reader=\(nowhere)", viewer)
            #expect(try run.get(path, viewer).given == none.given && none.status == 404, "\(viewer)")
            #expect(try Self.items(run.get("/v1/readers?guardian=\(run.ids[viewer] ?? "")", viewer)).isEmpty)
            let found = try run.get("/v1/readers?limit=100", viewer)
            #expect(found.status == (viewer == .administrator ? 200 : 403) && !found.text.contains(ida))
            let members = try run.get("\(run.story.path)/members?limit=100", viewer)
            #expect(members.text.contains(ida) == Self.isMember(viewer), "\(viewer)")
        }
    }
}
