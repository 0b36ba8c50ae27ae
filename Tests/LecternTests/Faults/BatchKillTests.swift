import Foundation
import Glibc
import JSON
import SharedByTests
import Synchronization
import Testing

@Suite("Kills of the program during batches", .serialized, .ownThreads)
struct BatchKillTests {
    static let kills = TestBudget.of(3, long: 5)
    static let writers = 8
    static let lines = 20

    /// The numbers of the acknowledged batches.
    final class Record: Sendable {
        private let answered = Mutex<Set<Int>>([])
        func note(_ number: Int) { answered.withLock { _ = $0.insert(number) } }
        var all: Set<Int> { answered.withLock { $0 } }
    }

    private static func id(_ batch: Int, _ line: Int) -> String {
        String(format: "0199b7c0-0f00-7001-8000-%06d%06d", batch, line)
    }

    private static func body(_ reading: String, _ batch: Int) -> String {
        let lines = (0..<lines).map { line in
            "{\"method\":\"PUT\",\"path\":\"/v1/readings/\(reading)/entries/\(id(batch, line))\",\"body\":{\"progress\":0.5}}"
        }
        return "{\"atomic\":true,\"requests\":[\(lines.joined(separator: ","))]}"
    }

    @Test(
        "After kill -9 each atomic batch is complete or absent, acknowledged ones are complete, and repeated ones happened once"
    )
    func kill() throws {
        let data = NSTemporaryDirectory() + "lectern-kill-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: data) }
        let token = try Binary.newData(data)
        let record = Record()
        let next = Atomic(0)
        var reading = ""
        for round in 0..<Self.kills {
            let server = try Binary(data: data)
            if round == 0 { reading = try Client(port: server.port, token: token).setUp() }
            let (port, path) = (server.port, reading)
            let done = DispatchSemaphore(value: 0)
            for _ in 0..<Self.writers {
                Thread {
                    let client = Client(port: port, token: token)
                    while true {
                        let number = next.wrappingAdd(1, ordering: .relaxed).newValue
                        // Without a response the outcome is unknown.
                        let answer = try? client.send("POST", "/v1/batch", Self.body(path, number))
                        guard answer?["answers"] != nil else { break }
                        record.note(number)
                    }
                    done.signal()
                }.start()
            }
            let goal = record.all.count + 20 + round * 7
            #expect(eventually { record.all.count >= goal })
            server.kill()
            for _ in 0..<Self.writers { done.wait() }
        }
        try compare(data, token, reading, record.all, sent: next.load(ordering: .relaxed))
    }

    private func compare(_ data: String, _ token: String, _ reading: String, _ answered: Set<Int>, sent: Int) throws {
        let server = try Binary(data: data)
        let client = Client(port: server.port, token: token)
        func counts() throws -> [Int: Int] {
            var counts: [Int: Int] = [:]
            for change in try client.log() where change.resource == "entry" {
                counts[Int(change.id.dropFirst(24).prefix(6)) ?? -1, default: 0] += 1
            }
            return counts
        }
        let there = try counts()
        #expect(there.values.allSatisfy { $0 == Self.lines }, "a part of a batch is there")
        #expect(answered.isSubset(of: there.keys))
        #expect(there.count < sent, "no batch was cut off")
        for number in 1...sent {
            #expect(try client.send("POST", "/v1/batch", Self.body(reading, number)) != nil)
        }
        let all = try counts()
        #expect(all.count == sent && all.values.allSatisfy { $0 == Self.lines })
        server.kill()
        #expect(try Binary.run(["check", "--data", data]).code == 0)
    }
}
