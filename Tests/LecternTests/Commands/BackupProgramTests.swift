import Foundation
import Glibc
import JSON
import Outbound
import SharedByTests
import Synchronization
import Testing

@Suite("Backups of the program", .serialized, .ownThreads)
struct BackupProgramTests {
    static let writers = 64

    let place = NSTemporaryDirectory() + "lectern-backup-\(UUID().uuidString)"
    var data: String { place + "/data" }
    var file: String { place + "/copy" }
    var other: String { place + "/other" }

    init() throws { try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true) }

    /// Returns the beginning of a stream, up to a word.
    private func stream(_ port: Int, _ token: String, after cursor: String, until word: String) -> String {
        let request =
            "GET /v1/changes HTTP/1.0\r\nHost: t\r\nAccept: text/event-stream\r\nAuthorization: Bearer \(token)\r\n"
            + "Last-Event-ID: \(cursor)\r\n\r\n"
        let descriptor = Loopback.connect(port: port, sending: request)
        defer { close(descriptor) }
        var patience = timeval(tv_sec: patienceSeconds, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        var output = ""
        var buffer = [UInt8](repeating: 0, count: 4096)
        while !output.contains(word) {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { return output }
            output += String(decoding: buffer[..<count], as: UTF8.self)
        }
        return output
    }

    private func status(_ client: Client, _ method: String, _ path: String, _ body: String? = nil) throws -> Int {
        try client.exchange(method, path, body).status
    }

    @Test("A server starts beside a backup that began without one, and closes the database when both have ended")
    func started() throws {
        defer { try? FileManager.default.removeItem(atPath: place) }
        let token = try Binary.newData(data)
        let killed = try Binary(data: data)
        _ = try Client(port: killed.port, token: token).setUp()
        killed.kill()
        let backup = Process()
        backup.executableURL = URL(filePath: Binary.path)
        backup.arguments = ["backup", file, "--data", data]
        backup.standardError = FileHandle.nullDevice
        try backup.run()
        #expect(eventually { !backup.isRunning || access(file + ".part", F_OK) == 0 })
        kill(backup.processIdentifier, SIGSTOP)
        let server = try Binary(data: data)
        let client = Client(port: server.port, token: token)
        #expect(try status(client, "POST", "/v1/books", "{\"title\":\"Emma\"}") == 201)
        kill(backup.processIdentifier, SIGCONT)
        backup.waitUntilExit()
        #expect(backup.terminationStatus == 0)
        #expect(try status(client, "POST", "/v1/books", "{\"title\":\"Persuasion\"}") == 201)
        #expect(server.stop(with: SIGTERM) == 0 && access(data + "/lectern.sqlite-wal", F_OK) != 0)
        #expect(try Binary.run(["check", "--data", data]).code == 0)
        #expect(try Binary.run(["restore", file, "--data", other]).code == 0)
    }

    @Test("A backup without a server leaves the database closed")
    func closed() throws {
        defer { try? FileManager.default.removeItem(atPath: place) }
        _ = try Binary.newData(data)
        #expect(try Binary.run(["backup", file, "--data", data]).code == 0)
        #expect(access(data + "/lectern.sqlite-wal", F_OK) != 0)
    }

    @Test(
        "A backup under 64 writers restores a prefix of the log with all acknowledged changes; older cursors, tags and tokens are refused"
    )
    func restored() throws {
        defer { try? FileManager.default.removeItem(atPath: place) }
        let token = try Binary.newData(data)
        let server = try Binary(data: data)
        let client = Client(port: server.port, token: token)
        let reading = try client.setUp()
        let record = KillTests.Record()
        let isEnough = Atomic(false)
        let done = DispatchGroup()
        let (port, path) = (server.port, "/v1/readings/\(reading)/entries")
        for writer in 0..<Self.writers {
            done.enter()
            Thread {
                defer { done.leave() }
                let client = Client(port: port, token: token)
                var number = 0
                while !isEnough.load(ordering: .relaxed),
                    let id = client.write(path, "{\"progress\":0.5,\"note\":\"\(writer)-\(number)\"}")
                {
                    record.acknowledge(id)
                    number += 1
                }
            }.start()
        }
        #expect(eventually { record.acknowledged.count > 300 })
        let before = record.acknowledged
        let run = try Binary.run(["backup", file, "--data", data])
        let after = record.acknowledged.count
        #expect(run.code == 0 && run.err.contains("verified"), "\(run.err)")
        #expect(eventually { record.acknowledged.count > after + 100 })
        isEnough.store(true, ordering: .relaxed)
        done.wait()
        let tag = try client.exchange("GET", "/v1/readings/\(reading)").fields["etag"] ?? ""
        let (log, cursor) = (try client.log(), try client.head())
        // No part of the backup was in the data directory.
        #expect(!FileManager.default.fileExists(atPath: data + "/backups"))
        #expect(server.stop(with: SIGTERM) == 0)
        #expect(try Binary.run(["backup", file, "--data", data]).err.contains("not overwritten"))
        try Data().write(to: URL(filePath: file + "-2.part"))
        #expect(try Binary.run(["backup", file + "-2", "--data", data]).err.contains("In the latter case delete it"))
        #expect(try Binary.run(["restore", file, "--data", data]).err.contains("Nothing was overwritten"))

        let restored = try Binary.run(["restore", file, "--data", other])
        #expect(restored.code == 0, "\(restored.err)")
        #expect(try Binary.run(["check", "--data", other]).code == 0)
        let next = try Binary(data: other)
        let words = try Binary.run(["token", "create", "--name", "t", "--data", other])
        let fresh = Client(port: next.port, token: words.out.trimmingCharacters(in: .whitespacesAndNewlines))
        let there = try fresh.log()
        let seq = try #require(restored.out.firstMatch(of: /up to change (\d+)/).flatMap { Int64($0.1) })
        func received(_ log: [Client.Logged]) -> [String] {
            log.filter { $0.seq <= seq }.map { "\($0.seq) \($0.resource) \($0.id)" }
        }
        // Token events go to their owner: the administrator's token is the only one.
        #expect(received(there) == received(log) && there.count > 300)
        #expect(before.isSubset(of: Set(there.map(\.id))))
        #expect(try status(Client(port: next.port, token: token), "GET", "/v1/me") == 401)
        let patch = try fresh.exchange(
            "PATCH", "/v1/readings/\(reading)", "{\"pageCount\":7}", fields: ["If-Match: \(tag)"])
        #expect(patch.status == 412)
        let newToken = words.out.trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(stream(next.port, newToken, after: cursor, until: "event: reset").contains("event: reset"))
        next.kill()
    }

    @Test("kill -9 in the middle of backups leaves the database sound, and every file that is no .part a whole backup")
    func killedBackups() throws {
        defer { try? FileManager.default.removeItem(atPath: place) }
        let token = try Binary.newData(data)
        let last = TestBudget.of(3, long: 7)
        for round in 0...last {
            let server = try Binary(data: data)
            let client = Client(port: server.port, token: token)
            if round == 0 {
                let reading = try client.setUp()
                for _ in 0..<300 {
                    _ = client.write(
                        "/v1/readings/\(reading)/entries",
                        "{\"progress\":0.5,\"note\":\"\(String(repeating: "n", count: 5000))\"}")
                }
            }
            let before = bytes(in: data + "/backups")
            _ = try client.exchange("POST", "/v1/admin/backups", "{}")
            let places = { try client.send("GET", "/v1/admin/backups")?["items"]?.elements.map { $0 } ?? [] }
            if round == last {
                #expect(try eventually { try places().first?["state"]?.string == "done" })
                let names = try FileManager.default.contentsOfDirectory(atPath: data + "/backups")
                #expect(!names.contains { $0.hasSuffix(".part") })
            } else {
                // The server is killed during the backup, each time later.
                let goal = before + bytes(in: data) / 8 * round
                _ = try eventually {
                    try bytes(in: data + "/backups") >= goal || places().first?["state"]?.string == "done"
                }
            }
            server.kill()
        }
        #expect(try Binary.run(["check", "--data", data]).code == 0)
        for name in try FileManager.default.contentsOfDirectory(atPath: data + "/backups") {
            let run = try Binary.run(["restore", data + "/backups/" + name, "--data", place + "/of-" + name])
            #expect(run.code == 0, "\(run.err)")
        }
    }

    @Test("kill -9 in the middle of a restore leaves no database, or a whole one; and a second try succeeds")
    func killedRestores() throws {
        defer { try? FileManager.default.removeItem(atPath: place) }
        _ = try manyEntries(TestBudget.of(5000, long: 20_000))
        #expect(try Binary.run(["backup", file, "--data", data]).code == 0)
        var kinds = Set<Bool>()
        let rounds = TestBudget.of(4, long: 12)
        for round in 0..<rounds {
            let target = place + "/restored-\(round)"
            let goal = bytes(in: data) / rounds * round
            try run(["restore", file, "--data", target]) { bytes(in: target) >= goal }
            let isThere = FileManager.default.fileExists(atPath: target + "/lectern.sqlite")
            kinds.insert(isThere)
            if !isThere {
                let again = try Binary.run(["restore", file, "--data", target])
                #expect(again.code == 0, "\(again.err)")
            }
            #expect(try Binary.run(["check", "--data", target]).code == 0)
            let names = try FileManager.default.contentsOfDirectory(atPath: target).sorted()
            #expect(!names.contains("lectern.sqlite-wal"))
            try FileManager.default.removeItem(atPath: target)
        }
        #expect(kinds.contains(false))
    }

    @Test("kill -9 in the middle of an upgrade loses nothing, and the next start ends it")
    func killedUpgrades() throws {
        defer { try? FileManager.default.removeItem(atPath: place) }
        let old = try manyEntries(TestBudget.of(5000, long: 20_000))
        let count = "SELECT count(*) FROM entries"
        let entries = try old.numbers(count)
        try old.removeLastStep()
        let socket = data + "/lectern.sock"
        for round in 0..<TestBudget.of(3, long: 8) {
            try? FileManager.default.removeItem(atPath: socket)
            let goal = bytes(in: data) + round * 1_000_000
            // A server that serves has completed all of it.
            try run(["serve", "--listen", "127.0.0.1:0", "--data", data]) {
                bytes(in: data) >= goal || FileManager.default.fileExists(atPath: socket)
            }
        }
        let server = try Binary(data: data)
        #expect(server.stop(with: SIGTERM) == 0)
        #expect(try old.numbers(count) == entries)
        let check = try Binary.run(["check", "--data", data])
        #expect(check.code == 0, "\(check.out)")
        let copies = try FileManager.default.contentsOfDirectory(atPath: data + "/backups")
        #expect(copies.contains { $0.hasPrefix("upgrade-") } && !copies.contains { $0.hasSuffix(".part") })
    }

    @Test(
        "An upgrade of a large database of the previous schema loses nothing, and clients resume their streams"
    )
    func upgraded() throws {
        defer { try? FileManager.default.removeItem(atPath: place) }
        let old = try manyEntries(TestBudget.of(5000, long: 100_000))
        try old.removeLastStep()
        let counts =
            "SELECT count(*) FROM entries UNION ALL SELECT count(*) FROM clubs UNION ALL SELECT count(*) FROM changes UNION ALL SELECT value FROM meta WHERE name = 'epoch'"
        let (before, head) = (try old.numbers(counts), try old.numbers("SELECT max(seq) FROM changes")[0])
        let epoch = String(format: "%08x", before[3])
        let token = try String(contentsOfFile: place + "/token", encoding: .utf8)
        let server = try Binary(data: data)
        let received = Heard()
        // One client was at the end of the log, and one 500 changes behind.
        let streams = [0, 500].map { behind in
            StreamReader(port: server.port, token: token, after: "\(epoch)-\(head - behind)") {
                received.take($0, behind)
            }
        }
        let client = Client(port: server.port, token: token)
        let made = (0..<20).map { client.write("/v1/books", "{\"title\":\"B\($0)\"}") ?? "" }
        #expect(!made.contains(""))
        let wanted = (head - 499...head + 20).map { "\(epoch)-\($0)" }
        #expect(eventually { received.ids(500).count >= 520 && received.ids(0).count >= 20 })
        #expect(received.ids(500) == wanted && received.ids(0) == Array(wanted.suffix(20)))
        server.stop(with: SIGTERM)
        for stream in streams { stream.wait() }
        let after = try old.numbers(counts)
        #expect(after == [before[0], before[1], before[2] + 20, before[3]])
        let check = try Binary.run(["check", "--data", data])
        #expect(check.code == 0, "\(check.out)")
    }

    /// Creates a directory with two clubs and a reading of many entries.
    private func manyEntries(_ count: Int) throws -> OldSchema {
        let token = try Binary.newData(data)
        try token.write(toFile: place + "/token", atomically: true, encoding: .utf8)
        let server = try Binary(data: data)
        let client = Client(port: server.port, token: token)
        let reading = try client.setUp()
        for name in ["Tuesdays", "Fridays"] { _ = client.write("/v1/clubs", "{\"name\":\"\(name)\"}") }
        _ = client.write("/v1/readings/\(reading)/entries", "{\"progress\":0.5,\"note\":\"n\"}")
        #expect(server.stop(with: SIGTERM) == 0)
        let old = OldSchema(data + "/lectern.sqlite")
        try old.multiplyEntries(count)
        return old
    }

    /// Returns the bytes of all files in a directory and its subdirectories, or 0 if there is none.
    private func bytes(in folder: String) -> Int {
        let files = FileManager.default.enumerator(atPath: folder)
        var sum = 0
        while files?.nextObject() != nil { sum += files?.fileAttributes?[.size] as? Int ?? 0 }
        return sum
    }

    /// Runs the program, and kills it when a condition holds, unless it has ended before.
    private func run(_ words: [String], killWhen isTime: () -> Bool) throws {
        let process = Process()
        process.executableURL = URL(filePath: Binary.path)
        process.arguments = words
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        _ = eventually { isTime() || !process.isRunning }
        Glibc.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}

/// The ids of events that several streams delivered.
private final class Heard: @unchecked Sendable {
    // SAFETY: the lock guards `all`.
    private let lock = NSLock()
    private var all: [Int: [String]] = [:]

    func take(_ id: String, _ stream: Int) { lock.withLock { all[stream, default: []].append(id) } }
    func ids(_ stream: Int) -> [String] { lock.withLock { all[stream] ?? [] } }
}
