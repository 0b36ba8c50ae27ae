import JSON
import Model
import ObservableModels
import Store
import Testing

@testable import API

/// Tests of streams of views that combine several resources, without a socket.
@Suite("Views")
struct ViewTests {
    /// A request pipeline, and a view that Ada watches: the names of her clubs.
    private final class Room {
        let desk: TestDesk
        let ada: Viewer
        var stream: OpenStream

        /// Opens the view after a story, which returns the cursor to resume from.
        init(isTold: Bool = true, _ story: (TestDesk) throws -> Int64? = { _ in nil }) throws {
            let desk = try TestDesk()
            try desk.enter("ada")
            let reads = desk.desk.reads
            let digest = SHA256.digest(of: Array((desk.tokens["ada"] ?? "").utf8))
            let ada = try #require(try reads.viewer(tokenDigest: digest)).viewer
            let watch = Watch.view(
                of: [.list(.membership, ada.scope), .list(.reading, ada.scope)],
                inEachClub: { club, _, _ in [.list(.club, .club(key: club))] }, isTold: isTold)
            let snapshot = { () throws(LecternError) in
                let page = try reads.clubs(of: ada.readerKey, after: nil, limit: 100)
                return EncodedPage(body: Array(page.items.map(\.name).sorted().joined(separator: ",").utf8), next: nil)
            }
            let cursor = try story(desk).map { EventID(epoch: desk.desk.epoch, seq: $0).description }
            _ = desk.hear()
            desk.desk.models.begin(at: try reads.head())
            stream = desk.desk.stream(
                of: Watched(watch: watch, fields: nil, snapshot: snapshot), after: cursor, ada, owner: 1)
            _ = try desk.begin(stream)
            (self.desk, self.ada) = (desk, ada)
        }

        /// Returns the data of the snapshots that the client receives for the changes since the last call.
        func hear() throws -> [String] {
            let models = desk.desk.models
            let changes = desk.hear()
            var sent: [[UInt8]] = []
            if !changes.isEmpty {
                for effect in models.publish(Commit(changes: changes)) { sent += try desk.follow(effect, stream) }
            }
            if models.wake(stream.subscription) {
                let page = try desk.desk.reads.read { () throws(LecternError) in try desk.desk.next(for: stream) }
                sent += try desk.follow(models.turn(page, for: stream.subscription), stream)
            }
            return sent.map { String(decoding: EventFrame.data(of: $0), as: UTF8.self) }
        }
    }

    private func found(_ name: String, _ desk: TestDesk) throws -> String {
        try desk.make("/v1/clubs", "{\"name\":\"\(name)\"}", as: "ada")
    }

    @Test(
        "A change of a part makes it anew, once for all that is committed together, and it is sent when it is another")
    func anew() throws {
        let room = try Room()
        #expect(try room.hear() == [] && room.stream.subscription.state.phase == .live)
        let club = try found("Tuesdays", room.desk)
        _ = try found("Fridays", room.desk)
        #expect(try room.hear() == ["Fridays,Tuesdays"])
        // The view now watches the new clubs, too.
        _ = try room.desk.send("PATCH", "/v1/clubs/\(club)", "{\"name\":\"Mondays\"}", as: "ada")
        #expect(try room.hear() == ["Fridays,Mondays"])
        // A change of a field that the view does not show.
        _ = try room.desk.send("PATCH", "/v1/clubs/\(club)", "{\"description\":\"Early\"}", as: "ada")
        #expect(try room.hear() == [] && room.stream.subscription.state.phase == .live)
        // A change of a resource that is not part of the view.
        try room.desk.enter("ben")
        #expect(try room.hear() == [])
        _ = try room.desk.send("DELETE", "/v1/clubs/\(club)", as: "ada")
        #expect(try room.hear() == ["Fridays"])
    }

    @Test("From a cursor it is sent only if a part has changed since, or if that cannot be known")
    func resumed() throws {
        func room(isTold: Bool = true, hasChanged: Bool) throws -> Room {
            try Room(isTold: isTold) { desk in
                let before = try desk.desk.reads.head()
                _ = try self.found("Tuesdays", desk)
                let after = try desk.desk.reads.head()
                try desk.enter("ben")
                return hasChanged ? before : after
            }
        }
        #expect(try room(hasChanged: true).hear() == ["Tuesdays"])
        #expect(try room(hasChanged: false).hear() == [])
        #expect(try room(isTold: false, hasChanged: false).hear() == ["Tuesdays"])
    }

    @Test("Where the log has come to makes no other view of a list; an item, and what is counted besides, do")
    func place() throws {
        let epoch = try TestDesk().desk.epoch
        func page(_ items: [Int64], seq: Int64, count: Int64 = 0) -> EncodedPage {
            Page(whole: items).encoded(epoch, seq: seq, extra: ("count", count)) { $1.integer($0) }
        }
        let first = page([1], seq: 9)
        #expect(page([1], seq: 10).body != first.body && page([1], seq: 10).digest == first.digest)
        #expect(page([1, 2], seq: 9).digest != first.digest)
        #expect(page([1], seq: 9, count: 1).digest != first.digest)
    }

    @Test("A view of what is not there is refused from whichever cursor")
    func absent() throws {
        let desk = try TestDesk()
        try desk.enter("ada")
        try desk.enter("ben")
        let tokens = try desk.send("GET", "/v1/tokens", as: "ada")["items"]
        let mine = tokens?.elements.compactMap { $0["id"]?.string }.first ?? ""
        let cursor = EventID(epoch: desk.desk.epoch, seq: 2).description
        for after in ["", "?after=\(cursor)"] {
            _ = try desk.open("/v1/tokens/\(mine)\(after)", as: "ada")
            #expect(throws: LecternError.notFound) { try desk.open("/v1/tokens/\(mine)\(after)", as: "ben") }
        }
    }

    @Test("Another role ends no view, unless it is an administrator's")
    func role() throws {
        let desk = try TestDesk()
        try desk.enter("ada")
        let reads = desk.desk.reads
        let digest = SHA256.digest(of: Array((desk.tokens["ada"] ?? "").utf8))
        let ada = try #require(try reads.viewer(tokenDigest: digest)).viewer
        func become(_ role: String) throws {
            _ = try desk.send("PATCH", "/v1/readers/\(ada.reader)", "{\"role\":\"\(role)\"}", as: "admin")
        }
        try become("librarian")
        try reads.demandRole(of: ada)
        try become("administrator")
        #expect(throws: LecternError.self) { try reads.demandRole(of: ada) }
    }
}
