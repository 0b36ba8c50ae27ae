import Foundation
import JSON
import SharedByTests
import Testing

@testable import API

/// Tests of the number of locked notes in streams.
@Suite("The count of locked notes", .ownThreads)
struct CountTests {
    /// Returns the numbers that a stream sent, in its snapshots and separately; "-" if there is none.
    private func counts(_ watcher: Watcher) -> [String] {
        watcher.events.compactMap { event -> String? in
            guard ["snapshot", "ahead"].contains(event.name), let data = event.value else { return nil }
            if data["name"]?.string == "books" { return nil }
            let page = data["value"] ?? data
            return page["ahead"]?.integer.map(String.init) ?? "-"
        }
    }

    @Test(
        "A list of notes, a window, a search and a name of a stream send the count of locked notes whenever GET has another"
    )
    func received() throws {
        let story = try ClubStory(club: ",\"countsAhead\":true")
        let (service, list) = (story.service, "/v1/clubs/\(story.club)/notes")
        let several = try TestStream(service, "{\"notes\":\"\(list)\",\"books\":\"/v1/books\"}", token: story.ben)
        let watchers =
            try [list, "\(list)?limit=5", "\(list)?q=thought&limit=5", "\(list)?book=\(story.book)"]
            .map { try Watcher(service, $0, token: story.ben) } + [try several.open()]
        for watcher in watchers { #expect(watcher.wait { counts($0) == ["0"] }, "\(watcher.head)") }
        func expect(_ count: String, _ action: () throws -> Void) throws {
            try action()
            let now = try service.send("GET", list, token: story.ben)["ahead"]?.integer.map(String.init) ?? "-"
            #expect(now == count)
            for (index, watcher) in watchers.enumerated() {
                #expect(watcher.wait { counts($0).last == count }, "\(index): \(counts(watcher))")
            }
        }
        try expect("1") { _ = try story.note("0.5") }
        try expect("2") { _ = try story.note("0.9") }
        try expect("1") { _ = try story.read("0.6") }
        let ada = try service.send("GET", "/v1/me", token: story.ada)["id"]?.string ?? ""
        try expect("0") { _ = try service.send("PUT", "/v1/me/blocks/\(ada)", "{}", token: story.ben) }
        try expect("1") { _ = try service.send("DELETE", "/v1/me/blocks/\(ada)", token: story.ben) }
        let path = "/v1/clubs/\(story.club)"
        try expect("-") { _ = try service.send("PATCH", path, #"{"countsAhead":false}"#, token: story.ada) }
        try expect("1") { _ = try service.send("PATCH", path, #"{"countsAhead":true}"#, token: story.ada) }
        for watcher in watchers {
            for event in watcher.events where event.name == "ahead" {
                let members = Set(event.value?.members.map(\.name) ?? [])
                #expect(members.subtracting(["name", "seq", "ahead"]).isEmpty && event.id != nil, "\(event.data)")
            }
        }
        // A client that reconnects gets the number again, because it may have changed.
        let id = try #require(watchers[0].lastID)
        _ = try story.note("0.95")
        let again = try Watcher(service, list, token: story.ben, lastEventID: id)
        #expect(again.wait { counts($0) == ["2"] } && again.names == ["ahead"])
    }

    @Test("A club that does not count locked notes shows no count")
    func untold() throws {
        let story = try ClubStory()
        let (service, list) = (story.service, "/v1/clubs/\(story.club)/notes")
        let watcher = try Watcher(service, list, token: story.ben)
        #expect(watcher.wait(count: 1))
        _ = try story.note("0.5")
        _ = try story.note("0")
        let again = try Watcher(service, list, token: story.ben, lastEventID: watcher.events[0].id)
        _ = try story.note("0")
        #expect(watcher.wait(count: 3) && again.wait(count: 2))
        #expect(watcher.names == ["snapshot", "enter", "enter"] && again.names == ["enter", "enter"])
    }
}
