import API
import Foundation
import JSON
import SharedByTests
import Store
import Testing

/// Tests that no change is lost without notice: between the log's ends, between two memberships, between two reads.
@Suite("Delivery", .serialized, .ownThreads)
struct DeliveryTests {
    /// Returns a book of about a kilobyte.
    private static func book(_ title: String) -> String {
        let name = "\"\(String(repeating: "a", count: 200))\""
        return "{\"title\":\"\(title)\",\"authors\":[\(name),\(name),\(name),\(name),\(name)]}"
    }

    @Test(
        "A subscriber whose position was deleted from the log gets a reset, and continues on the same stream",
        arguments: ["/v1/changes", "/v1/books"])
    func trimmed(_ path: String) throws {
        let service = try TestService { $0.store.retentionCountMax = 20 }
        let watcher = try Watcher(service, path, receiveBuffer: 2048)
        try #require(watcher.wait(count: 1))
        let start = watcher.events[0].id ?? ""
        watcher.pause()
        for number in 1...200 { _ = try service.make("/v1/books", Self.book("Book \(number)")) }
        #expect(try eventually { try service.send("GET", "/v1/changes?after=\(start)").status == 409 })
        watcher.resume()
        #expect(watcher.wait { $0.names.contains("reset") && $0.names.last == "snapshot" })
        let last = try service.make("/v1/books", Self.book("The last"))
        #expect(watcher.wait { $0.events.last?.data.contains(last) ?? false })
        #expect(watcher.names.filter { $0 == "reset" }.count == 1)
        // There is no gap before the reset, and none after it.
        let parts = watcher.events.split { $0.name == "reset" }
        try #require(parts.count == 2 && !parts[0].isEmpty)
        #expect(parts[1].first?.name == "snapshot" && parts[1].count == 2)
        let numbers = parts[0].compactMap { $0.id?.split(separator: "-").last.flatMap { Int($0) } }
        #expect(numbers == Array(numbers[0]..<numbers[0] + numbers.count))
    }

    @Test("A cursor from before a membership serves none of the club's streams, and the feed from the joining on")
    func comeBack() throws {
        let story = try ClubStory()
        let service = story.service
        try story.choose()
        let note = try story.note("0")
        let meeting = try story.meeting()
        let club = "/v1/clubs/\(story.club)"
        let cursor = try service.head(token: story.ben)
        let gone = try service.send("DELETE", "\(club)/members/\(story.benID)", token: story.ben)
        #expect(gone.status == 204)
        _ = try service.send("PATCH", club, "{\"name\":\"Wednesdays\"}", token: story.ada)
        try story.join(story.ben)
        let paths = [
            club, "\(club)/members", "\(club)/runs", "\(club)/milestones", "\(club)/standings", "\(club)/meetings",
            "\(club)/meetings/\(meeting)", "\(club)/meetings/\(meeting)/attendances", "\(club)/notes",
            "/v1/notes/\(note)",
        ]
        for path in paths {
            let watcher = try Watcher(service, path, token: story.ben, lastEventID: cursor)
            #expect(watcher.wait(count: 2) && watcher.names == ["reset", "snapshot"], "\(path)")
            #expect(watcher.events.first?.data.contains("membership") ?? false)
            let again = try Watcher(service, path, token: story.ben, lastEventID: watcher.lastID)
            let stayed = try Watcher(service, path, token: story.ada, lastEventID: cursor)
            #expect(again.wait { !$0.status.isEmpty } && stayed.wait { !$0.status.isEmpty })
            #expect(again.names.first != "reset" && stayed.names.first != "reset")
        }
        let received = try service.events(after: cursor, token: story.ben)
        #expect(received == ["membership deleted", "member created", "membership created"])
        let feed = try Watcher(service, "/v1/changes", token: story.ben, lastEventID: cursor)
        #expect(feed.wait(count: 3) && feed.names == ["deleted", "created", "created"])
    }

    @Test("A reader who joins a club and becomes a moderator while their feeds are behind receives all of it")
    func comingWhileReplaying() throws {
        let story = try ClubStory(club: ",\"visibility\":\"listed\"")
        let service = story.service
        let own = "/v1/clubs/\(story.club)/members/\(story.benID)"
        let invitation = try service.send(
            "POST", "/v1/clubs/\(story.club)/invitations", "{\"usesMax\":100}", token: story.ada)
        let code = invitation["code"]?.string ?? ""
        for round in 0..<TestBudget.of(2, long: 8) {
            let actor = try service.reader("Asker \(round)")
            #expect(try service.send("DELETE", own, token: story.ben).status == 204)
            let start = try service.head(token: story.ben)
            for number in 0..<300 { _ = try service.make("/v1/books", "{\"title\":\"\(round) \(number)\"}") }
            let coming = Thread.detach {
                _ = try? service.send("POST", "/v1/memberships", "{\"invitation\":\"\(code)\"}", token: story.ben)
                _ = try? service.send("PATCH", own, "{\"role\":\"moderator\"}", token: story.ada)
                return try? service.send("POST", "/v1/requests", "{\"club\":\"\(story.club)\"}", token: actor).status
            }
            let feeds = try (0..<6).map { _ in
                try Watcher(service, "/v1/changes", token: story.ben, lastEventID: start)
            }
            #expect(coming.value() == 201)
            let mark = try service.make("/v1/books", "{\"title\":\"Mark\"}")
            for feed in feeds {
                #expect(feed.wait { $0.events.last?.data.contains(mark) ?? false })
                let received = feed.events.filter { !$0.data.contains("\"resource\":\"book\"") }.map { event in
                    let change = try? JSONDocument(Array(event.data.utf8)).root
                    return "\(change?["resource"]?.string ?? "") \(event.name)"
                }
                #expect(
                    received == ["member created", "membership created", "member updated", "joinRequest created"],
                    "round \(round)")
            }
        }
    }

    @Test("A stream for which a change cannot be read ends, and gets the change when it is opened again")
    func faults() throws {
        let story = try ClubStory()
        let service = story.service
        let list = try Watcher(service, "/v1/clubs/\(story.club)/notes", token: story.ada)
        let feed = try Watcher(service, "/v1/changes", token: story.ada)
        #expect(list.wait(count: 1) && feed.wait(count: 1))
        _ = try story.note("0.1", "before")
        #expect(list.wait(count: 2) && feed.wait(count: 2))
        // The marks determine the recipients.
        try service.execute("ALTER TABLE marks RENAME TO hidden")
        _ = try story.note("0.2", "meanwhile")
        let second = try service.make("/v1/books", "{\"title\":\"Meanwhile\"}")
        #expect(list.wait { $0.isEnded } && feed.wait { $0.isEnded })
        #expect(list.events.count == 2 && feed.events.count == 2)
        try service.execute("ALTER TABLE hidden RENAME TO marks")
        let notes = try Watcher(service, "/v1/clubs/\(story.club)/notes", token: story.ada, lastEventID: list.lastID)
        let again = try Watcher(service, "/v1/changes", token: story.ada, lastEventID: feed.lastID)
        _ = try story.note("0.3", "after")
        try #require(notes.wait(count: 2) && again.wait(count: 3))
        #expect(notes.events[0].data.contains("meanwhile") && notes.events[1].data.contains("after"))
        #expect(again.events[0].data.contains("meanwhile") && again.events[1].data.contains(second))
        #expect(!notes.isEnded && !again.isEnded)
    }

    @Test(
        "The stream of a meeting ends with the meeting; the streams of a note and a book send the deletion and stay open"
    )
    func deletedMeeting() throws {
        let story = try ClubStory()
        let service = story.service
        let meeting = "/v1/clubs/\(story.club)/meetings/\(try story.meeting())"
        let note = "/v1/notes/\(try story.note("0"))"
        let book = "/v1/books/\(try service.make("/v1/books", "{\"title\":\"One\"}"))"
        let watchers = try [meeting, note, book].map { try Watcher(service, $0, token: story.ada) }
        #expect(watchers.allSatisfy { $0.wait(count: 1) })
        let other = try story.meeting()
        #expect(try service.send("DELETE", "/v1/clubs/\(story.club)/meetings/\(other)", token: story.ada).status == 204)
        #expect(try service.send("PATCH", meeting, "{\"place\":\"Here\"}", token: story.ada).status == 200)
        for path in [note, book, meeting] {
            #expect(try service.send("DELETE", path, token: path == book ? nil : story.ada).status == 204)
        }
        #expect(watchers[0].wait { $0.isEnded } && watchers[0].isComplete)
        #expect(watchers[0].names == ["snapshot", "updated", "deleted"])
        for stays in watchers.dropFirst() {
            #expect(stays.wait(count: 2) && stays.names == ["snapshot", "deleted"] && !stays.isEnded)
        }
    }

    @Test("A card's change is replayed although its reading and book were deleted since")
    func deletedCards() throws {
        let service = try TestService()
        let book = try service.make("/v1/books", "{\"title\":\"One\"}")
        let reading = try service.make("/v1/readings", "{\"book\":\"\(book)\"}")
        let list = try Watcher(service, "/v1/cards")
        let card = try Watcher(service, "/v1/cards/\(reading)")
        try #require(list.wait(count: 1) && card.wait(count: 1))
        _ = try service.send("PATCH", "/v1/books/\(book)", "{\"title\":\"Two\"}")
        #expect(try service.send("DELETE", "/v1/readings/\(reading)").status == 204)
        #expect(try service.send("DELETE", "/v1/books/\(book)").status == 204)
        #expect(list.wait(count: 3) && list.names == ["snapshot", "updated", "leave"])
        #expect(card.wait(count: 3) && card.names == ["snapshot", "updated", "deleted"])
        for (path, live) in [("/v1/cards", list), ("/v1/cards/\(reading)", card)] {
            let again = try Watcher(service, path, lastEventID: live.events[0].id)
            #expect(again.wait(count: 2) && again.events == Array(live.events.dropFirst()))
        }
    }

    @Test("A leave has its reason: changed, deleted or noLongerYours; and a stream's own resource sends its deletion")
    func leaving() throws {
        let story = try ClubStory()
        let service = story.service
        let club = "/v1/clubs/\(story.club)"
        let meeting = try story.meeting()
        let answers = try Watcher(service, "\(club)/meetings/\(meeting)/attendances", token: story.ada)
        let books = try Watcher(service, "/v1/books?q=kindred")
        let notes = try Watcher(service, "\(club)/notes", token: story.ben)
        let gone = try Watcher(service, "\(club)/members", token: story.ada)
        let itself = try Watcher(service, club, token: story.ada)
        for watcher in [answers, books, notes, gone, itself] { try #require(watcher.wait(count: 1)) }

        _ = try service.send("PATCH", "/v1/books/\(story.book)", "{\"title\":\"Dawn\"}")
        try #require(books.wait(count: 2) && books.names.last == "leave")
        #expect(books.events[1].data.contains("\"change\":\"updated\"") && books.says("changed"))

        let path = "\(club)/meetings/\(meeting)"
        #expect(try service.send("PUT", path + "/attendance", "{\"answer\":\"yes\"}", token: story.ben).status == 201)
        #expect(try service.send("DELETE", path, token: story.ada).status == 204)
        try #require(answers.wait { $0.isEnded } && answers.names == ["snapshot", "enter", "leave", "leave"])
        #expect(answers.events[2].data.contains("\"resource\":\"attendance\""))
        #expect(answers.events[3].data.contains("\"resource\":\"meeting\",\"id\":\"\(meeting)\""))
        #expect(answers.says("deleted"))
        let again = try Watcher(
            service, "\(club)/meetings/\(meeting)/attendances", token: story.ada, lastEventID: answers.lastID)
        #expect(again.wait { $0.status == "HTTP/1.1 404" })

        #expect(try service.send("DELETE", "\(club)/members/\(story.benID)", token: story.ada).status == 204)
        try #require(notes.wait { $0.isEnded } && notes.names == ["snapshot", "leave"] && notes.says("noLongerYours"))
        #expect(notes.events[1].data.contains("\"resource\":\"member\"") && !notes.events[1].data.contains("value"))
        #expect(gone.wait(count: 2) && gone.names == ["snapshot", "leave"] && gone.says("deleted") && !gone.isEnded)

        #expect(try service.send("DELETE", club, token: story.ada).status == 204)
        #expect(gone.wait { $0.isEnded } && gone.names.last == "leave" && gone.says("deleted"))
        #expect(itself.wait { $0.isEnded } && itself.names == ["snapshot", "deleted"])
    }
}

extension Watcher {
    /// Returns whether the last event has this reason.
    func says(_ reason: String) -> Bool {
        events.last?.data.contains(",\"reason\":\"\(reason)\"") ?? false
    }
}
