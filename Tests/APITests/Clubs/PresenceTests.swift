import Foundation
import HTTPServer
import JSON
import Model
import SharedByTests
import Store
import Testing

@testable import API

/// Tests with a club of Ada and Ben, who reads the club's book along.
@Suite("Presence", .serialized, .ownThreads)
struct PresenceTests {
    private let story: ClubStory
    private let path: String

    init() throws {
        story = try ClubStory()
        try story.choose()
        try story.createStanding(sharing: "exact")
        path = "/v1/clubs/\(story.club)/presence"
    }

    private func set(_ isOn: Bool, as token: String) throws {
        let answer = try story.service.send("PATCH", "/v1/settings", "{\"presence\":\(isOn)}", token: token)
        #expect(answer.status == 200)
    }

    /// Returns the present readers that are visible to Ada, each with their book.
    private func there() throws -> [String] {
        let answer = try story.service.send("GET", path, token: story.ada)
        #expect(answer["count"]?.integer == answer["items"].map { Int64($0.elements.map { $0 }.count) })
        return answer["items"]?.elements.map {
            "\($0["name"]?.string ?? "") \($0["book"]?.string == story.book ? "Kindred" : "")"
        } ?? ["\(answer.status)"]
    }

    private func put(_ body: String = "{}", as token: String) throws -> Answer {
        try story.service.send("PUT", path, body, token: token)
    }

    @Test(
        "A stream of the club signals presence, and a stream of the reading names the book; without the setting nothing is shown"
    )
    func streams() throws {
        let reading = try Watcher(story.service, "/v1/readings/\(story.reading)", token: story.ben)
        #expect(reading.wait(count: 1))
        #expect(try there() == [])
        try set(true, as: story.ben)
        #expect(eventually { (try? there()) == ["Ben Kindred"] })
        try set(true, as: story.ada)
        let notes = try Watcher(story.service, "/v1/clubs/\(story.club)/notes", token: story.ada)
        #expect(notes.wait(count: 1))
        #expect(try there() == ["Ada ", "Ben Kindred"])
        try set(false, as: story.ben)
        #expect(try there() == ["Ada "])
        try set(true, as: story.ben)
        #expect(eventually { (try? there()) == ["Ben Kindred", "Ada "] })
        // Repeating the request would not make an absent reader present again.
        #expect(try story.service.send("DELETE", path, token: story.ben).status == 204)
        #expect(try there() == ["Ada "])
    }

    @Test("Presence can be watched: a stream sends the current state, also after a reconnection, and no history")
    func watched() throws {
        let watcher = try Watcher(story.service, path, token: story.ada)
        #expect(watcher.wait(count: 1) && watcher.events[0].data.contains("\"items\":[],"))
        try set(true, as: story.ben)
        #expect(try put("{\"book\":\"\(story.book)\"}", as: story.ben).status == 200)
        #expect(
            watcher.wait(count: 2) && watcher.events[1].data.contains("\"name\":\"Ben\",\"book\":\"\(story.book)\""))
        #expect(watcher.names == ["snapshot", "snapshot"])
        for _ in 0..<3 { _ = try put("{\"book\":\"\(story.book)\"}", as: story.ben) }
        let back = try Watcher(story.service, path, token: story.ada, lastEventID: watcher.lastID)
        #expect(back.wait(count: 1) && back.events[0].data.contains("\"count\":1"))
        let own = "/v1/clubs/\(story.club)/members/\(story.benID)"
        #expect(try story.service.send("PATCH", own, "{\"shares\":\"nothing\"}", token: story.ben).status == 200)
        #expect(watcher.wait(count: 3) && watcher.events[2].data.contains("\"count\":0"))
        #expect(back.wait(count: 2) && back.names == ["snapshot", "snapshot"] && watcher.names.count == 3)
    }

    @Test("A request signals presence, and invalid content is refused")
    func requests() throws {
        #expect(try put(as: story.ben).status == 409)
        try set(true, as: story.ben)
        let answer = try put("{\"reading\":\"\(story.reading)\"}", as: story.ben)
        #expect(answer.status == 200 && answer["expiresAt"]?.string != nil)
        #expect(try there() == ["Ben Kindred"])
        for body in [
            "{\"book\":\"\(story.club)\"}", "{\"reading\":\"\(story.book)\"}", "{\"page\":7}", "{\"book\":7}",
            "{\"book\":\"\(story.book)\",\"reading\":\"\(story.reading)\"}",
        ] { #expect(try put(body, as: story.ben).status == 422, "\(body)") }
        #expect(try put(as: story.ben).status == 200)
        #expect(try there() == ["Ben "])
        let eve = try story.service.reader("Eve")
        for method in ["GET", "PUT", "DELETE"] {
            let body = method == "PUT" ? "{}" : nil
            #expect(try story.service.send(method, path, body, token: eve).status == 404, "\(method)")
        }
        #expect(try story.service.send("DELETE", path, token: story.ben).status == 204)
        #expect(try there() == [])
    }

    @Test("Presence ends at once with the membership, and with the token that announced it")
    func ends() throws {
        try set(true, as: story.ben)
        let made = try story.service.send("POST", "/v1/tokens", "{\"name\":\"phone\"}", token: story.ben)
        let (phone, id) = (made["token"]?.string ?? "", made["id"]?.string ?? "")
        #expect(try put(as: phone).status == 200)
        #expect(try there() == ["Ben "])
        #expect(try story.service.send("DELETE", "/v1/tokens/\(id)", token: story.ben).status == 204)
        #expect(try there() == [])
        #expect(try put(as: story.ben).status == 200)
        #expect(try there() == ["Ben "])
        let own = "/v1/clubs/\(story.club)/members/\(story.benID)"
        #expect(try story.service.send("DELETE", own, token: story.ben).status == 204)
        #expect(try there() == [])
    }

    @Test("Presence ends at once with a suspension")
    func suspended() throws {
        try set(true, as: story.ben)
        let notes = try Watcher(story.service, "/v1/clubs/\(story.club)/notes", token: story.ben)
        #expect(notes.wait(count: 1))
        #expect(try put(as: story.ben).status == 200)
        #expect(try there() == ["Ben "])
        let reader = "/v1/readers/\(story.benID)"
        #expect(try story.service.send("PATCH", reader, #"{"suspension":{}}"#).status == 200)
        #expect(try there() == [])
        #expect(try story.service.send("PATCH", reader, #"{"suspension":null}"#).status == 200)
        #expect(try there() == [])
        #expect(try put(as: story.ben).status == 200)
        #expect(try there() == ["Ben "])
    }

    @Test("A stream of names signals presence in the clubs it watches now, and ends with its token")
    func names() throws {
        try set(true, as: story.ben)
        let made = try story.service.send("POST", "/v1/tokens", "{\"name\":\"tab\"}", token: story.ben)
        let (tab, token) = (made["token"]?.string ?? "", made["id"]?.string ?? "")
        let stream = try story.service.send("POST", "/v1/streams", "{\"watch\":{\"me\":\"/v1/me\"}}", token: tab)
        let watcher = try Watcher(story.service, try #require(stream["url"]?.string), token: "")
        #expect(watcher.wait { $0.names.contains("snapshot") })
        #expect(try there() == [])
        let switched = try story.service.send(
            "PATCH", "/v1/streams/\(stream["id"]?.string ?? "")",
            "{\"watch\":{\"me\":null,\"now\":\"/v1/readings/\(story.reading)\"}}", token: tab)
        #expect(switched.status == 200)
        #expect(eventually { (try? there()) == ["Ben Kindred"] })
        #expect(try story.service.send("DELETE", "/v1/tokens/\(token)", token: story.ben).status == 204)
        #expect(try there() == [])
    }

    @Test("Ten thousand present readers write nothing to the disk")
    func disk() throws {
        let pipeline = try TestPipeline()
        try pipeline.enter("ada")
        let club = try pipeline.make("/v1/clubs", "{\"name\":\"C\"}", as: "ada")
        _ = try pipeline.send("PATCH", "/v1/settings", "{\"presence\":true}", as: "ada")
        _ = pipeline.receive()
        let path = "/v1/clubs/\(club)/presence"
        #expect(try pipeline.send("PUT", path, "{}", as: "ada").status == 200)
        // The log is checkpointed first, which could otherwise happen during the measurement.
        try pipeline.copyLog()
        let (before, head) = (try pipeline.bytesOnDisk, try pipeline.pipeline.reads.head())
        let key = try #require(try pipeline.pipeline.reads.clubs(of: 2, after: nil, limit: 1).items.first?.key)
        for number in Int64(0)..<10_000 {
            let id = ResourceID(high: 7, low: UInt64(number))
            let member = Member(
                club: (id, key), reader: (id, 1000 + number), name: "R", role: .member,
                createdAt: .now)
            let viewer = Viewer(
                reader: id, readerKey: 1000 + number, role: .reader, access: .read, token: id, expiresAt: nil)
            let place = PresenceClubContext(member: member, book: nil, isOfReading: false, asOf: head)
            #expect(pipeline.pipeline.service.presence.announce(.stream(UInt64(number)), viewer, at: [place]) != nil)
        }
        for _ in 0..<100 { #expect(try pipeline.send("PUT", path, "{}", as: "ada").status == 200) }
        #expect(try pipeline.send("GET", path, as: "ada")["count"]?.integer == 10_001)
        pipeline.pipeline.service.presence.sweep()
        #expect(try pipeline.bytesOnDisk == before && pipeline.pipeline.reads.head() == head)
        #expect(pipeline.receive().isEmpty)
    }
}

/// Tests with a lease of some seconds, and connections that are cut.
@Suite("Presence after a lost connection", .serialized, .ownThreads)
struct CutPresenceTests {
    @Test("A reader whose machine loses its connection is absent after the lease; a quiet connected one stays present")
    func cutOff() throws {
        let service = try TestService {
            $0.presenceSeconds = 6
            $0.limits.streamProbeSeconds = 1
            $0.limits.streamUnheardSecondsMax = 60
        }
        let (ada, ben) = (try service.reader("Ada"), try service.reader("Ben"))
        let club = try service.make("/v1/clubs", "{\"name\":\"C\"}", token: ada)
        let code = try service.send("POST", "/v1/clubs/\(club)/invitations", "{}", token: ada)["code"]?.string ?? ""
        #expect(try service.send("POST", "/v1/memberships", "{\"invitation\":\"\(code)\"}", token: ben).status == 201)
        for token in [ada, ben] { _ = try service.send("PATCH", "/v1/settings", "{\"presence\":true}", token: token) }
        let path = "/v1/clubs/\(club)/presence"
        let (stays, goes) = (try Watcher(service, path, token: ada), try Watcher(service, path, token: ben))
        #expect(stays.wait { $0.events.last?.data.contains("\"count\":2") == true })
        #expect(goes.wait(count: 1) && goes.cutOff())
        #expect(stays.wait { $0.events.last?.data.contains("\"count\":1") == true })
        #expect(stays.events.last?.data.contains("\"Ada\"") == true)
        // This is longer than the lease: Ada is present only because her client acknowledges.
        let end = ContinuousClock.now + .seconds(7)
        #expect(eventually { ContinuousClock.now > end })
        #expect(try service.send("GET", path, token: ada)["count"]?.integer == 1)
        #expect(stays.events.last?.data.contains("\"count\":1") == true)
    }
}
