import Foundation
import Glibc
import JSON
import LecternClient
import Model
import Outbound
import SharedByTests
import Synchronization
import Testing

/// The writers during one run of the server.
private final class Life: Sendable {
    private static let writers = 8
    /// The maximum number of entries ahead of the watcher, which reconnects after some seconds.
    private static let leadMax = 200

    private let isOver = Atomic(false)
    private let written = Atomic(0)
    private let seen = Atomic(0)
    private let done = DispatchSemaphore(value: 0)

    init(_ round: Int, port: Int, token: String, reading: String) {
        for writer in 0..<Self.writers {
            Thread { [self] in
                let client = Client(port: port, token: token)
                let path = "/v1/readings/\(reading)/entries"
                var number = 0
                while eventually({ isOver.load(ordering: .acquiring) || mayWrite }), !isOver.load(ordering: .acquiring)
                {
                    let body = "{\"progress\":0.\(number % 100 + 1),\"note\":\"\(round)-\(writer)-\(number)\"}"
                    if client.write(path, body) != nil { written.add(1, ordering: .relaxed) }
                    number += 1
                }
                done.signal()
            }.start()
        }
    }

    private var mayWrite: Bool { written.load(ordering: .relaxed) < seen.load(ordering: .relaxed) + Self.leadMax }

    /// Sets the number of entries that the watcher has received.
    func see(_ count: Int) { seen.store(count, ordering: .relaxed) }

    func end() {
        isOver.store(true, ordering: .releasing)
        for _ in 0..<Self.writers { done.wait() }
    }
}

@Suite("Subscribers of a killed server", .serialized, .ownProcess("WatchKillTests"), .ownThreads)
struct WatchKillTests {
    static let kills = TestBudget.of(5, long: 20)

    @Test(
        "After repeated kill -9 the output of lectern watch is the log, and an ObservableReading equals GET")
    func kill() async throws {
        let data = NSTemporaryDirectory() + "lectern-watch-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: data) }
        let token = try Binary.newData(data)
        var server = try Binary(data: data)
        let port = server.port
        let client = Client(port: port, token: token)
        let reading = try client.setUp()
        let url = "http://127.0.0.1:\(port)"
        let watch = try WatchProcess(["/v1/changes", "--after", "", "--server", url, "--token", token])
        let observed = try await Self.observe(LecternClient(url, token: token), reading)
        for round in 1...Self.kills {
            let life = Life(round, port: port, token: token, reading: reading)
            // The server is killed during the writes, each time elsewhere.
            let before = watch.lines.count
            let goal = before + 200 + round * 13
            #expect(
                try eventually {
                    let isThere = try watch.hasLines(goal)
                    // An entry prints two lines: its own and its reading's.
                    life.see((watch.lines.count - before) / 2)
                    return isThere
                }, "\(watch.output)")
            server.kill()
            life.end()
            server = try Binary(data: data, listen: "127.0.0.1:\(port)")
        }
        try await compare(watch, observed, client, reading)
    }

    @MainActor
    private static func observe(_ client: LecternClient, _ reading: String) throws -> ObservableReading {
        ObservableReading(client, id: try #require(ResourceID(reading)))
    }

    @MainActor
    private static func shows(_ observed: ObservableReading, _ bytes: [UInt8]) async -> Bool {
        await comesTrue { observed.value?.encoded() == bytes }
    }

    private func compare(
        _ watch: WatchProcess, _ observed: ObservableReading, _ client: Client, _ reading: String
    ) async throws {
        // From here on there are no writes, and the log is read from its beginning.
        let log = try client.changes()
        #expect(try eventually { try watch.hasLines(log.count) }, "\(watch.output)")
        let now = try client.exchange("GET", "/v1/readings/\(reading)").body
        #expect(await Self.shows(observed, now))
        #expect(try watch.end(SIGTERM) == 0)
        #expect(watch.output.contains("resume from here"))
        let lines = try watch.lines.map { try JSONDocument($0).root }
        #expect(lines.count == log.count && log.count > Self.kills * 200)
        let different = zip(lines, log).first { !Self.isSame($0, $1) }
        #expect(different == nil, "\(String(decoding: different?.0.encoded ?? [], as: UTF8.self))")
    }

    /// Returns whether a line equals a change of the log, except for the mark at a transaction's end that only streams
    /// have.
    private static func isSame(_ line: JSONValue, _ change: JSONValue) -> Bool {
        line.members.filter { $0.name != "isLast" }.elementsEqual(change.members) { line, change in
            line.name == change.name && line.value.encoded == change.value.encoded
        }
    }
}

extension Client {
    /// Returns the log from `/v1/changes`, from its beginning.
    fileprivate func changes() throws -> [JSONValue] {
        var (changes, next): ([JSONValue], String) = ([], "")
        while true {
            let page = try send("GET", "/v1/changes?limit=100&after=\(next)")
            let items = page?["items"]?.elements.map { $0 } ?? []
            next = page?["next"]?.string ?? next
            if items.isEmpty { return changes }
            changes += items
        }
    }
}
