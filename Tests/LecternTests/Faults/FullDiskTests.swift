import CSQLite
import Foundation
import Glibc
import JSON
import Outbound
import SharedByTests
import Testing

@Suite(
    "The program on a disk that is really full", .serialized, .ownThreads,
    .enabled(if: SmallDisk.isPossible, "a file system can be mounted only by root"))
struct FullDiskTests {
    static let writers = 8
    static let book = "{\"title\":\"\(String(repeating: "Kindred ", count: 50))\"}"

    let disk: SmallDisk
    let data: String
    let token: String
    let received = ReceivedEvents()

    init() throws {
        disk = try #require(SmallDisk())
        data = disk.path + "/data"
        token = try Binary.newData(data)
    }

    @Test("Refused writes are 507, reads and streams continue, and freed space is used without a restart")
    func full() throws {
        let server = try Binary(data: data)
        let client = Client(port: server.port, token: token)
        let start = try client.head()
        let stream = StreamReader(port: server.port, token: token, after: start) { [received] in received.receive($0) }
        write(server.port) { written, _ in written == 5 }
        // The disk is full in the middle of the writers' batches, some of which are acknowledged.
        disk.fill(leaving: 1 << 20)
        write(server.port) { _, refused in refused == 20 }
        #expect(received.refusals == 20 * Self.writers)
        // The space that the server freed for itself is filled, too: not a byte is left.
        disk.fill()
        #expect(disk.scenario == 0)
        write(server.port) { _, refused in refused == 20 }
        #expect(received.refusals == 40 * Self.writers)
        #expect(try client.send("GET", "/healthz")?["writes"]?.string == "out of space")
        let readiness = try client.exchange("GET", "/readyz")
        #expect(readiness.status == 503 && String(decoding: readiness.body, as: UTF8.self).contains("\"outOfSpace\""))
        #expect(eventually { received.hasHeardAll } && !stream.hasEnded)
        #expect(received.received == received.written.map(\.seq))

        disk.empty()
        #expect(try eventually { try makeBook(client) == 201 }, "there is room, and nothing is written")
        write(server.port) { written, refused in written + refused == 20 }
        #expect(try client.send("GET", "/healthz")?["writes"]?.string == "ok")
        #expect(eventually { received.hasHeardAll } && !stream.hasEnded)
        server.kill()
        stream.wait()
        #expect(
            received.received == received.written.map(\.seq), "the stream does not say exactly what was acknowledged")
        #expect(received.wrong.isEmpty, "\(received.wrong.count) wrong answers, as \(received.wrong.first ?? "")")
        try compare(after: start)
    }

    @Test("A server killed on a full disk starts, serves reads, and writes once there is space")
    func restart() throws {
        let first = try Binary(data: data)
        let start = try Client(port: first.port, token: token).head()
        disk.fill(leaving: 1 << 20)
        write(first.port) { _, refused in refused == 1 }
        disk.fill()
        first.kill()
        #expect(disk.scenario == 0)

        let second = try Binary(data: data)
        let client = Client(port: second.port, token: token)
        write(second.port) { _, refused in refused == 5 }
        for book in received.written { #expect(try client.exchange("GET", "/v1/books/\(book.id)").status == 200) }
        disk.empty()
        #expect(try eventually { try makeBook(client) == 201 }, "there is room, and nothing is written")
        second.kill()
        #expect(received.wrong.isEmpty, "\(received.wrong.count) wrong answers, as \(received.wrong.first ?? "")")
        try compare(after: start)
    }

    @Test(
        "A full data disk is backed up to another place and to a pipe, with and without a server, and both are restored"
    )
    func backUp() throws {
        let place = NSTemporaryDirectory() + "lectern-elsewhere-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: place) }
        let server = try Binary(data: data)
        write(server.port) { written, _ in written == 20 }
        disk.fill()
        #expect(disk.scenario == 0)
        for isServed in [true, false] {
            if !isServed { server.kill() }
            for name in ["file", "pipe"] {
                let copy = "\(place)/\(name)-\(isServed)"
                let words = name == "file" ? "backup '\(copy)'" : "backup - > '\(copy)'"
                let run = try shell("TMPDIR='\(place)' '\(Binary.path)' \(words) --data '\(data)'")
                #expect(run.code == 0, "\(run.output)")
                let restored = try Binary.run(["restore", copy, "--data", copy + ".data"])
                #expect(restored.code == 0, "\(restored.err)")
                #expect(try Binary.run(["check", "--data", copy + ".data"]).code == 0)
                let database = copy + ".data/lectern.sqlite"
                #expect(try OldSchema(database).numbers("SELECT count(*) FROM books") == [received.written.count])
            }
        }
    }

    @Test("A log that filled the disk because of a long read shrinks soon after the read")
    func heldLog() throws {
        let server = try Binary(data: data)
        let client = Client(port: server.port, token: token)
        var other: OpaquePointer?
        defer { sqlite3_close_v2(other) }
        #expect(sqlite3_open_v2(data + "/lectern.sqlite", &other, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK)
        #expect(sqlite3_exec(other, "BEGIN; SELECT count(*) FROM books", nil, nil, nil) == SQLITE_OK)
        write(server.port) { _, refused in refused == 5 }
        #expect(sqlite3_exec(other, "COMMIT", nil, nil, nil) == SQLITE_OK)
        #expect(try eventually { try makeBook(client) == 201 }, "the log is still there")
        server.kill()
        #expect(received.wrong.isEmpty, "\(received.wrong.count) wrong answers, as \(received.wrong.first ?? "")")
    }

    private func shell(_ text: String) throws -> (code: Int32, output: String) {
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", text]
        process.standardError = output
        try process.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: bytes, as: UTF8.self))
    }

    /// Restarts the server, and checks that the data on disk is sound and contains exactly the acknowledged writes.
    private func compare(after start: String) throws {
        let server = try Binary(data: data)
        let client = Client(port: server.port, token: token)
        for book in received.written { #expect(try client.exchange("GET", "/v1/books/\(book.id)").status == 200) }
        let replayed = ReceivedEvents()
        let stream = StreamReader(port: server.port, token: token, after: start) { replayed.receive($0) }
        let written = received.written.map(\.seq)
        #expect(eventually { replayed.received.count >= written.count })
        server.kill()
        stream.wait()
        #expect(replayed.received == written)
        let result = try Binary.run(["check", "--data", data])
        #expect(result.code == 0, "\(result.out)\(result.err)")
    }

    /// Creates a book and returns the status.
    @discardableResult
    private func makeBook(_ client: Client) throws -> Int {
        received.answer(try client.exchange("POST", "/v1/books", Self.book))
    }

    /// Makes several clients write at once, each until enough writes succeeded and were refused, while another client
    /// reads.
    private func write(_ port: Int, until isEnough: @escaping @Sendable (_ written: Int, _ refused: Int) -> Bool) {
        let left = DispatchGroup()
        for _ in 0..<Self.writers {
            left.enter()
            Thread { [received, token] in
                defer { left.leave() }
                let client = Client(port: port, token: token)
                var count = (written: 0, refused: 0)
                while !isEnough(count.written, count.refused), count.written < 10_000 {
                    guard let response = try? client.exchange("POST", "/v1/books", Self.book) else {
                        return received.note(wrong: "no answer to a write")
                    }
                    if received.answer(response) == 201 { count.written += 1 } else { count.refused += 1 }
                }
            }.start()
        }
        let reader = Client(port: port, token: token)
        repeat {
            for path in ["/v1/books?q=kindred", "/v1/cards", "/v1/changes", "/v1/me", "/metrics", "/healthz"] {
                let status = try? reader.exchange("GET", path).status
                if status != 200 { received.note(wrong: "GET \(path): \(status ?? 0)") }
            }
        } while left.wait(timeout: .now()) == .timedOut
    }
}
