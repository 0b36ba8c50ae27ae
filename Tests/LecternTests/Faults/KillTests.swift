import Foundation
import Glibc
import JSON
import Outbound
import SharedByTests
import Synchronization
import Testing

@Suite("Kills of the program", .serialized, .ownThreads)
struct KillTests {
    static let kills = TestBudget.of(5, long: 20)
    static let writers = 64

    /// The writers' acknowledgements, and a subscriber's events, over all runs of the server.
    final class Record: Sendable {
        private let state = Mutex((acknowledged: Set<String>(), received: [Int64](), lastID: ""))
        func acknowledge(_ id: String) { state.withLock { _ = $0.acknowledged.insert(id) } }
        func receive(_ id: String) {
            guard let seq = Int64(id.dropFirst(9)) else { return }
            state.withLock {
                $0.received.append(seq)
                $0.lastID = id
            }
        }
        var acknowledged: Set<String> { state.withLock { $0.acknowledged } }
        var received: [Int64] { state.withLock { $0.received } }
        var lastID: String { state.withLock { $0.lastID } }
    }

    @Test(
        "After repeated kill -9 under 64 writers every acknowledged entry exists, and a resumed stream equals the log")
    func kill() throws {
        let data = NSTemporaryDirectory() + "lectern-kill-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: data) }
        let token = try Binary.newData(data)
        let record = Record()
        var reading = ""
        for round in 0...Self.kills {
            let server = try Binary(data: data)
            let client = Client(port: server.port, token: token)
            if round == 0 {
                reading = try client.setUp()
                record.receive(try client.head())
            }
            let stream = StreamReader(port: server.port, token: token, after: record.lastID) { record.receive($0) }
            if round == Self.kills { break }
            let done = DispatchSemaphore(value: 0)
            let before = record.acknowledged.count
            let port = server.port
            let path = "/v1/readings/\(reading)/entries"
            for writer in 0..<Self.writers {
                Thread {
                    let client = Client(port: port, token: token)
                    var number = 0
                    while let id = client.write(path, "{\"progress\":0.5,\"note\":\"\(round)-\(writer)-\(number)\"}") {
                        record.acknowledge(id)
                        number += 1
                    }
                    done.signal()
                }.start()
            }
            // The server is killed during the writes, each time elsewhere.
            let goal = before + 300 + round * 97
            #expect(eventually { record.acknowledged.count >= goal })
            server.kill()
            for _ in 0..<Self.writers { done.wait() }
            stream.wait()
        }
        try compare(token: token, data: data, record: record, reading: reading)
    }

    /// Compares the data on disk, which another server serves, with the record.
    private func compare(token: String, data: String, record: Record, reading: String) throws {
        let server = try Binary(data: data)
        let client = Client(port: server.port, token: token)
        let log = try client.log()
        let stream = StreamReader(port: server.port, token: token, after: record.lastID) { record.receive($0) }
        _ = eventually { record.received.last ?? 0 >= log.last?.seq ?? 0 }
        server.kill()
        stream.wait()
        let entries = Set(log.filter { $0.resource == "entry" }.map(\.id))
        #expect(record.acknowledged.count > Self.kills)
        #expect(
            record.acknowledged.isSubset(of: entries),
            "\(record.acknowledged.subtracting(entries).count) acknowledged entries are missing")
        let seqs = log.map(\.seq)
        #expect(seqs == Array((seqs.first ?? 0)...(seqs.last ?? 0)), "the log has a gap")
        let first = record.received.first ?? 0
        #expect(
            record.received.dropFirst() == seqs.filter { $0 > first }[...],
            "the subscriber does not have exactly the log")
        #expect(try Binary.run(["check", "--data", data]).code == 0)
    }
}
