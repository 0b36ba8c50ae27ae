import HTTPServer
import JSON
import Model
import ObservableModels
import SharedByTests
import Store
import Testing

@testable import API

/// Tests of streams of views that combine several resources, without a socket.
@Suite("Views")
struct ViewTests {
    /// A request pipeline, and a view that Ada watches: a list, mostly of her clubs.
    private final class Scenario {
        let pipeline: TestPipeline
        let ada: Viewer
        var stream: OpenStream

        /// Opens the view after a story, which returns the cursor to resume from.
        init(of url: String = "/v1/clubs", _ story: (TestPipeline) throws -> Int64? = { _ in nil }) throws {
            let pipeline = try TestPipeline()
            try pipeline.enter("ada")
            let reads = pipeline.pipeline.reads
            let digest = SHA256.digest(of: Array((pipeline.tokens["ada"] ?? "").utf8))
            let ada = try #require(try reads.viewer(tokenDigest: digest)).viewer
            let cursor = try story(pipeline).map { EventID(epoch: pipeline.pipeline.epoch, seq: $0).description }
            _ = pipeline.receive()
            pipeline.pipeline.models.begin(at: try reads.head())
            stream = pipeline.pipeline.stream(
                of: url, after: cursor, ada, on: ConnectionID(loop: 0, slot: 0, generation: 1))
            _ = try pipeline.begin(stream)
            (self.pipeline, self.ada) = (pipeline, ada)
        }

        /// Returns the names in the snapshots that the client receives for the changes since the last call.
        func receive() throws -> [String] {
            let models = pipeline.pipeline.models
            let changes = pipeline.receive()
            var sent: [[UInt8]] = []
            if !changes.isEmpty {
                for effect in models.publish(Commit(changes: changes)) { sent += try pipeline.follow(effect, stream) }
            }
            if models.wake(stream.subscription) {
                let page = try pipeline.pipeline.reads.read { () throws(RequestError) in
                    try pipeline.pipeline.next(for: stream)
                }
                sent += try pipeline.follow(models.sending(page, for: stream.subscription), stream)
            }
            return try sent.map { frame in
                let items = try JSONDocument(Array(EventFrame.data(of: frame))).root["items"]?.elements
                return items?.compactMap { $0["name"]?.string }.sorted().joined(separator: ",") ?? "no list"
            }
        }
    }

    private func found(_ name: String, _ pipeline: TestPipeline) throws -> String {
        try pipeline.make("/v1/clubs", "{\"name\":\"\(name)\"}", as: "ada")
    }

    @Test(
        "A change of a part renews a view once for each commit, and sends it if it differs")
    func anew() throws {
        let scenario = try Scenario()
        #expect(try scenario.receive() == [] && scenario.stream.subscription.state.phase == .live)
        let club = try found("Tuesdays", scenario.pipeline)
        _ = try found("Fridays", scenario.pipeline)
        #expect(try scenario.receive() == ["Fridays,Tuesdays"])
        // The view now watches the new clubs, too.
        _ = try scenario.pipeline.send("PATCH", "/v1/clubs/\(club)", "{\"name\":\"Mondays\"}", as: "ada")
        #expect(try scenario.receive() == ["Fridays,Mondays"])
        // Changes after which the view is as it was.
        let brief = try found("Sundays", scenario.pipeline)
        _ = try scenario.pipeline.send("DELETE", "/v1/clubs/\(brief)", as: "ada")
        #expect(try scenario.receive() == [] && scenario.stream.subscription.state.phase == .live)
        // A change of a resource that is not part of the view.
        try scenario.pipeline.enter("ben")
        #expect(try scenario.receive() == [])
        _ = try scenario.pipeline.send("DELETE", "/v1/clubs/\(club)", as: "ada")
        #expect(try scenario.receive() == ["Fridays"])
    }

    @Test("A snapshot is sent from a cursor only if its part has changed since, or if that is unknown")
    func resumed() throws {
        func scenario(of url: String = "/v1/clubs", hasChanged: Bool) throws -> Scenario {
            try Scenario(of: url) { pipeline in
                let before = try pipeline.pipeline.reads.head()
                _ = try self.found("Tuesdays", pipeline)
                let after = try pipeline.pipeline.reads.head()
                try pipeline.enter("ben")
                return hasChanged ? before : after
            }
        }
        #expect(try scenario(hasChanged: true).receive() == ["Tuesdays"])
        #expect(try scenario(hasChanged: false).receive() == [])
        // The log does not have all changes of this list.
        #expect(try scenario(of: "/v1/requests", hasChanged: false).receive() == [""])
    }

    @Test("The position of the log does not change a list's entity tag; its items and counts do")
    func place() throws {
        let epoch = try TestPipeline().pipeline.epoch
        func page(_ items: [Int64], seq: Int64, count: Int64 = 0) -> EncodedListPage {
            ListPage(whole: items).encoded(epoch, seq: seq, extra: ("count", count)) { $1.integer($0) }
        }
        let first = page([1], seq: 9)
        #expect(page([1], seq: 10).body != first.body && page([1], seq: 10).digest == first.digest)
        #expect(page([1, 2], seq: 9).digest != first.digest)
        #expect(page([1], seq: 9, count: 1).digest != first.digest)
    }

    @Test("A view of a missing resource is refused for every cursor")
    func absent() throws {
        let pipeline = try TestPipeline()
        try pipeline.enter("ada")
        try pipeline.enter("ben")
        let tokens = try pipeline.send("GET", "/v1/tokens", as: "ada")["items"]
        let mine = tokens?.elements.compactMap { $0["id"]?.string }.first ?? ""
        let cursor = EventID(epoch: pipeline.pipeline.epoch, seq: 2).description
        for after in ["", "?after=\(cursor)"] {
            _ = try pipeline.open("/v1/tokens/\(mine)\(after)", as: "ada")
            #expect(throws: RequestError.notFound) { try pipeline.open("/v1/tokens/\(mine)\(after)", as: "ben") }
        }
    }

    @Test("A changed role ends no view, unless it was an administrator's")
    func role() throws {
        let pipeline = try TestPipeline()
        try pipeline.enter("ada")
        let reads = pipeline.pipeline.reads
        let digest = SHA256.digest(of: Array((pipeline.tokens["ada"] ?? "").utf8))
        let ada = try #require(try reads.viewer(tokenDigest: digest)).viewer
        func become(_ role: String) throws {
            _ = try pipeline.send("PATCH", "/v1/readers/\(ada.reader)", "{\"role\":\"\(role)\"}", as: "admin")
        }
        try become("librarian")
        try reads.demandRole(of: ada)
        try become("administrator")
        #expect(throws: RequestError.self) { try reads.demandRole(of: ada) }
    }
}
