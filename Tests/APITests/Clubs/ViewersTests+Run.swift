import API
import Foundation
import JSON
import SharedByTests
import Testing

/// The viewers, and the run that they read.
extension ViewersTests {
    enum Viewer: CaseIterable {
        case owner, moderator, member, former, stranger, administrator
        /// A reader and their guardian, who is in no club.
        case pupil, guardian
    }
    enum Audience: String, CaseIterable { case me, moderators, club }

    struct Written {
        let id: String
        let author: Viewer
        let audience: Audience
        let progress: Double
    }

    /// Returns how far a viewer has read.
    static func reach(_ viewer: Viewer) -> Double {
        switch viewer {
        case .owner, .stranger, .administrator, .guardian: 0
        case .moderator: 0.3
        case .pupil: 0.45
        case .member: 0.6
        case .former: 1
        }
    }

    static func isMember(_ viewer: Viewer) -> Bool { [.owner, .moderator, .member, .pupil].contains(viewer) }

    /// Returns what a viewer shares with the club, and with its moderators in particular.
    static func shares(_ viewer: Viewer) -> (String, String?)? {
        switch viewer {
        case .moderator: ("exact", nil)
        case .member: ("milestones", "exact")
        case .pupil: ("nothing", "milestones")
        case .former: ("exact", "exact")
        case .owner, .stranger, .administrator, .guardian: nil
        }
    }

    /// Returns the shown values of a viewer, with milestones at 25 % and 50 %, of which none is due.
    static func shown(_ viewer: Viewer, _ sharing: String) -> [String] {
        let passed = sharing == "nothing" ? [] : [0.25, 0.5].filter { $0 <= reach(viewer) }
        let progress = sharing == "exact" ? reach(viewer) : passed.last
        return ["\(progress ?? -1)", sharing == "nothing" ? "" : passed.isEmpty ? "onTrack" : "ahead"]
    }

    static func isFor(_ viewer: Viewer, _ note: Written) -> Bool {
        switch note.audience {
        case .me: false
        case .moderators: viewer == .owner || viewer == .moderator
        case .club: isMember(viewer)
        }
    }

    static func sees(_ viewer: Viewer, _ note: Written) -> Bool {
        viewer == note.author || isFor(viewer, note) && note.progress <= reach(viewer)
    }

    struct ClubRun {
        let story: AudienceStory
        let tokens: [Viewer: String]
        /// The readers' ids.
        var ids: [Viewer: String] = [:]
        var notes: [Written] = []

        init() throws {
            story = try AudienceStory(club: ",\"countsAhead\":true")
            let (service, club) = (story.service, story.club)
            let guardian = try service.reader("Gus")
            let gus = try service.send("GET", "/v1/me", token: guardian)["id"]?.string ?? ""
            let ida = try service.make("/v1/readers", "{\"name\":\"Ida\",\"guardian\":\"\(gus)\"}")
            let way = try service.send("POST", "/v1/tokens", "{\"name\":\"t\",\"reader\":\"\(ida)\"}")
            let pupil = way["token"]?.string ?? ""
            try club.join(pupil)
            tokens = [
                .owner: club.ada, .moderator: story.mia, .member: club.ben, .former: story.cem, .stranger: story.dan,
                .administrator: service.token, .pupil: pupil, .guardian: guardian,
            ]
            for (viewer, token) in tokens {
                ids[viewer] = try service.send("GET", "/v1/me", token: token)["id"]?.string
            }
            try club.choose()
            for milestone in ["0.25", "0.5"] {
                let body = "{\"position\":{\"progress\":\(milestone)},\"dueAt\":\"2090-01-01T18:00:00Z\"}"
                _ = try service.make("\(story.path)/milestones", body, token: club.ada)
            }
            for viewer in [Viewer.moderator, .member, .former, .pupil] {
                let token = tokens[viewer] ?? ""
                let body = "{\"book\":\"\(club.book)\"}"
                let reading =
                    viewer == .member ? club.reading : try service.make("/v1/readings", body, token: token)
                let entry = "{\"progress\":\(ViewersTests.reach(viewer))}"
                _ = try service.make("/v1/readings/\(reading)/entries", entry, token: token)
                _ = try service.make("\(story.path)/standings", "{\"reading\":\"\(reading)\"}", token: token)
                guard let (shares, apart) = ViewersTests.shares(viewer), let id = ids[viewer] else { continue }
                let sharing =
                    "{\"shares\":\"\(shares)\",\"sharesWithModerators\":\(apart.map { "\"\($0)\"" } ?? "null")}"
                let own = "\(story.path)/members/\(id)"
                #expect(try service.send("PATCH", own, sharing, token: token).status == 200)
            }
            for author in [Viewer.owner, .member, .former, .pupil] {
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

        /// Returns the last event about each resource of a kind in a viewer's log.
        func last(_ kind: String, _ viewer: Viewer) throws -> [String: String] {
            let epoch = try story.service.head(token: story.dan).split(separator: "-")[0]
            var (last, cursor): ([String: String], String) = ([:], "\(epoch)-0")
            while true {
                let page = try get("/v1/changes?limit=100&after=\(cursor)", viewer)
                for change in ViewersTests.items(page) where change["resource"]?.string == kind {
                    let id = change["id"]?.string ?? ""
                    if change["change"]?.string == "deleted" { last[id] = nil }
                    if let value = change["value"] { last[id] = ViewersTests.text(value) }
                }
                let next = page["next"]?.string ?? ""
                if next == cursor || ViewersTests.items(page).isEmpty { return last }
                cursor = next
            }
        }

        /// Returns the ids of the notes that meet a condition, newest first, as in lists.
        func ids(where condition: (Written) -> Bool) -> [String] { notes.filter(condition).map(\.id).reversed() }
    }
}
