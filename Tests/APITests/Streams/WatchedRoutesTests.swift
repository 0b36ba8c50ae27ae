import Foundation
import JSON
import SharedByTests
import Testing

/// Tests of views, and of resources whose changes only other readers' logs contain. Each stream sends the state, and
/// sends it again when it changes.
@Suite("Watching every kind of resource", .serialized, .ownThreads)
struct WatchedRoutesTests {
    /// Checks a stream: first actions that must not cause an event, then actions that must.
    private func check(
        _ service: TestService, _ path: String, by token: String? = nil, untold: [() throws -> Void] = [],
        received: [(does: () throws -> Void, name: String, contains: String)], thenEnds: Bool = false
    ) throws {
        let watcher = try Watcher(service, path, token: token)
        #expect(watcher.wait(count: 1) && watcher.names == ["snapshot"], "\(path): \(watcher.head)")
        for action in untold { try action() }
        for (index, change) in received.enumerated() {
            try change.does()
            #expect(watcher.wait(count: index + 2), "\(path)")
            let last = watcher.events.last
            #expect(
                last?.name == change.name && last?.data.contains(change.contains) == true,
                "\(path): \(watcher.names) \(last?.data ?? "")")
        }
        #expect(watcher.names.count == received.count + 1, "\(path): \(watcher.names)")
        if thenEnds { #expect(watcher.wait { $0.isComplete }, "\(path)") }
    }

    @Test("A reader receives changes of their clubs, of joining and of leaving")
    func clubs() throws {
        let story = try ClubStory()
        let service = story.service
        let club = "/v1/clubs/\(story.club)"
        try check(
            service, "/v1/clubs", by: story.ben,
            untold: [{ _ = try service.make("/v1/clubs", "{\"name\":\"Others\"}", token: story.ada) }],
            received: [
                (
                    { _ = try service.send("PATCH", club, "{\"name\":\"Fridays\"}", token: story.ada) }, "snapshot",
                    "Fridays"
                ),
                ({ _ = try service.make("/v1/clubs", "{\"name\":\"Own\"}", token: story.ben) }, "snapshot", "\"Own\""),
                ({ try story.remove(story.ben) }, "snapshot", "{\"items\":[{"),
            ])
        try check(
            service, "/v1/clubs", by: story.ada,
            received: [({ _ = try service.send("DELETE", club, token: story.ada) }, "snapshot", "Others")])
    }

    @Test("A reader receives changes of their own notes, private or in a club, and of no others")
    func notes() throws {
        let story = try ClubStory()
        let (service, book) = (story.service, story.book)
        func write(_ body: String, _ club: String, by token: String) throws {
            _ = try service.make(
                "/v1/notes", "{\"book\":\"\(book)\",\(club)\"position\":{\"progress\":0},\"body\":\"\(body)\"}",
                token: token)
        }
        try check(
            service, "/v1/notes?book=\(book)", by: story.ben,
            untold: [
                { try write("hers", "", by: story.ada) },
                { try write("hers", "\"club\":\"\(story.club)\",", by: story.ada) },
            ],
            received: [
                ({ try write("mine", "", by: story.ben) }, "snapshot", "mine"),
                ({ try write("ours", "\"club\":\"\(story.club)\",", by: story.ben) }, "snapshot", "ours"),
            ])
    }

    @Test("A reader receives their own changes; only administrators receive those of others, until the end of the role")
    func readers() throws {
        let story = try ClubStory()
        let service = story.service
        func rename(_ name: String, by token: String) -> () throws -> Void {
            { _ = try service.send("PATCH", "/v1/me", "{\"name\":\"\(name)\"}", token: token) }
        }
        try check(
            service, "/v1/me", by: story.ben, untold: [rename("Eve", by: story.ada)],
            received: [(rename("Bo", by: story.ben), "updated", "\"Bo\"")])
        try check(
            service, "/v1/readers/\(story.benID)", untold: [rename("Ada", by: story.ada)],
            received: [(rename("Bob", by: story.ben), "snapshot", "\"Bob\"")])
        #expect(try Watcher(service, "/v1/readers", token: story.ben).wait { $0.status == "HTTP/1.1 403" })
        let id = try service.make("/v1/readers", "{\"name\":\"Cem\",\"role\":\"administrator\"}")
        let answer = try service.send("POST", "/v1/tokens", "{\"name\":\"cem\",\"reader\":\"\(id)\"}")
        let cem = answer["token"]?.string ?? ""
        let watcher = try Watcher(service, "/v1/tokens", token: cem)
        #expect(watcher.wait(count: 1))
        try check(
            service, "/v1/readers", by: cem,
            received: [({ _ = try service.make("/v1/readers", "{\"name\":\"Dan\"}") }, "snapshot", "\"Dan\"")])
        let readers = try Watcher(service, "/v1/readers", token: cem)
        #expect(readers.wait(count: 1))
        _ = try service.send("PATCH", "/v1/readers/\(id)", "{\"role\":\"reader\"}")
        #expect(readers.wait { $0.isComplete } && readers.names == ["snapshot"])
        #expect(watcher.wait { $0.isComplete } && watcher.names == ["snapshot"])
    }

    @Test("Changes of tokens are sent to their reader, and a revoked token ends its stream")
    func tokens() throws {
        let story = try ClubStory()
        let service = story.service
        func issue(_ name: String, by token: String) -> () throws -> Void {
            { _ = try service.send("POST", "/v1/tokens", "{\"name\":\"\(name)\"}", token: token) }
        }
        try check(
            service, "/v1/tokens", by: story.ben, untold: [issue("hers", by: story.ada)],
            received: [(issue("phone", by: story.ben), "snapshot", "phone")])
        try check(service, "/v1/tokens", received: [(issue("tablet", by: story.ben), "snapshot", "tablet")])
        let id = try service.send("POST", "/v1/tokens", "{\"name\":\"x\"}", token: story.ben)["id"]?.string ?? ""
        let watcher = try Watcher(service, "/v1/tokens/\(id)", token: story.ben)
        #expect(watcher.wait(count: 1))
        _ = try service.send("DELETE", "/v1/tokens/\(id)", token: story.ben)
        #expect(watcher.wait { $0.isComplete })
    }

    @Test("Entries enter and leave the list of their reading, which ends with it")
    func entries() throws {
        let story = try ClubStory()
        let service = story.service
        let other = try service.make("/v1/readings", "{\"book\":\"\(story.book)\"}", token: story.ada)
        let path = "/v1/readings/\(story.reading)/entries"
        var entry = ""
        let single = try service.make(path, "{\"progress\":0.01}", token: story.ben)
        let one = try Watcher(service, "\(path)/\(single)", token: story.ben)
        #expect(one.wait(count: 1))
        #expect(try Watcher(service, path, token: story.ada).wait { $0.status == "HTTP/1.1 404" })
        let after = try service.head(token: story.ben)
        #expect(
            try Watcher(service, path, token: story.ada, lastEventID: after).wait { $0.status == "HTTP/1.1 404" })
        try check(
            service, path, by: story.ben,
            untold: [{ _ = try service.make("/v1/readings/\(other)/entries", "{\"progress\":0.1}", token: story.ada) }],
            received: [
                (
                    { entry = try service.make(path, "{\"progress\":0.2,\"note\":\"hm\"}", token: story.ben) }, "enter",
                    "hm"
                ),
                ({ _ = try service.send("DELETE", "\(path)/\(entry)", token: story.ben) }, "leave", "entry"),
                (
                    { _ = try service.send("DELETE", "/v1/readings/\(story.reading)", token: story.ben) }, "leave",
                    "reading"
                ),
            ], thenEnds: true)
        #expect(one.wait { $0.isComplete } && one.names == ["snapshot", "deleted"])
    }

    @Test("Join requests, invitations and removals are sent to moderators, while they are, and to the reader who asked")
    func moderators() throws {
        let story = try ClubStory(club: ",\"visibility\":\"listed\"")
        let (service, club) = (story.service, "/v1/clubs/\(story.club)")
        let cem = try service.reader("Cem")
        #expect(try Watcher(service, "\(club)/invitations", token: story.ben).wait { $0.status == "HTTP/1.1 403" })
        try check(
            service, "\(club)/invitations", by: story.ada,
            received: [
                ({ _ = try service.make("\(club)/invitations", "{}", token: story.ada) }, "snapshot", "{\"items\":[{")
            ])
        var request = ""
        try check(
            service, "/v1/requests?club=\(story.club)", by: story.ada,
            received: [
                (
                    { request = try service.make("/v1/requests", "{\"club\":\"\(story.club)\"}", token: cem) },
                    "snapshot",
                    "Cem"
                )
            ])
        try check(
            service, "/v1/requests", by: cem,
            received: [
                (
                    {
                        _ = try service.send(
                            "PATCH", "/v1/requests/\(request)", "{\"state\":\"declined\"}", token: story.ada)
                    }, "snapshot", "declined"
                )
            ])
        func role(_ role: String) throws {
            _ = try service.send("PATCH", "\(club)/members/\(story.benID)", "{\"role\":\"\(role)\"}", token: story.ada)
        }
        try role("moderator")
        let watchers = try ["\(club)/invitations", "/v1/requests?club=\(story.club)", "\(club)/removals"].map {
            try Watcher(service, $0, token: story.ben)
        }
        for watcher in watchers { #expect(watcher.wait(count: 1), "\(watcher.head)") }
        try role("member")
        for watcher in watchers { #expect(watcher.wait { $0.isComplete } && watcher.names == ["snapshot"]) }
        try check(
            service, "\(club)/removals", by: story.ada, received: [({ try story.remove(story.ben) }, "snapshot", "Ben")]
        )
    }

    @Test("Calendar addresses, reactions and the notes for a meeting are sent to the readers who may see them")
    func together() throws {
        let story = try ClubStory()
        let (service, club) = (story.service, "/v1/clubs/\(story.club)")
        try check(
            service, "\(club)/calendars", by: story.ben,
            untold: [{ _ = try service.send("POST", "\(club)/calendars", token: story.ada) }],
            received: [
                ({ _ = try service.send("POST", "\(club)/calendars", token: story.ben) }, "snapshot", "{\"items\":[{")
            ])
        let note = try story.note("0")
        try check(
            service, "/v1/notes/\(note)/reactions", by: story.ada,
            untold: [{ _ = try story.note("0.1") }],
            received: [
                (
                    { _ = try service.send("PUT", "/v1/notes/\(note)/reactions/love", token: story.ben) }, "snapshot",
                    "love"
                ), ({ _ = try service.send("DELETE", "/v1/notes/\(note)", token: story.ada) }, "deleted", note),
            ], thenEnds: true)
        _ = try service.make(
            "\(club)/meetings",
            "{\"startsAt\":\"2100-01-01T00:00:00Z\",\"timeZone\":\"UTC\",\"book\":\"\(story.book)\",\"position\":{\"progress\":0.5}}",
            token: story.ada)
        try check(
            service, "\(club)/meetings/next/notes", by: story.ben,
            untold: [{ _ = try story.note("0.4", "ahead") }, { _ = try story.note("0.6", "beyond") }],
            received: [
                ({ _ = try story.note("0", "between") }, "snapshot", "between"),
                (
                    {
                        _ = try service.make(
                            "/v1/readings/\(story.reading)/entries", "{\"progress\":0.45}", token: story.ben)
                    }, "snapshot", "ahead"
                ),
            ])
        let watcher = try Watcher(service, "\(club)/calendars", token: story.ben)
        #expect(watcher.wait(count: 1))
        try story.remove(story.ben)
        #expect(watcher.wait { $0.isComplete })
    }
}
