import CSQLite
import Foundation
import SharedByTests
import Store
import Testing

@testable import API

@Suite("Readiness", .ownThreads)
struct ReadinessTests {
    private func readiness(of service: TestService) throws -> Answer { try service.send("GET", "/readyz", token: "") }

    /// Returns how often the log contains a text.
    private func count(_ words: String, in service: TestService) throws -> Int {
        try service.send("GET", "/v1/admin/log?lines=1000").text.components(separatedBy: words).count - 1
    }

    @Test("A read that holds the write-ahead log makes the server not ready, with one log line, until it ends")
    func heldLog() throws {
        let service = try TestService {
            $0.readiness.walBytesMax = 100_000
            $0.store.checkpointFrames = 16
            $0.logLevel = .info
        }
        let book = try service.make("/v1/books", #"{"title":"Emma"}"#)
        #expect(try readiness(of: service).status == 200)
        var other: OpaquePointer?
        defer { sqlite3_close_v2(other) }
        #expect(sqlite3_open_v2(service.directory + "/lectern.sqlite", &other, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK)
        #expect(sqlite3_exec(other, "BEGIN; SELECT count(*) FROM books", nil, nil, nil) == SQLITE_OK)
        var written = 0
        #expect(
            try eventually {
                written += 1
                _ = try service.send("PATCH", "/v1/books/\(book)", "{\"title\":\"Emma \(written)\"}")
                return try readiness(of: service).status == 503
            })
        #expect(try readiness(of: service).text.contains(#""reason":"walHeld""#))
        #expect(try eventually { try count("not ready: walHeld", in: service) == 1 })
        #expect(sqlite3_exec(other, "COMMIT", nil, nil, nil) == SQLITE_OK)
        #expect(try eventually { try readiness(of: service).status == 200 })
        #expect(try eventually { try count("ready again", in: service) == 1 })
        #expect(try count("not ready: walHeld", in: service) == 1)
    }

    @Test(
        "A log that waits for its next checkpoint is not held, and a held one is free again while writes continue"
    )
    func releasedLog() throws {
        let service = try TestService { $0.readiness.walBytesMax = 1 << 20 }
        let book = try service.make("/v1/books", #"{"title":"Emma"}"#)
        var written = 0
        func write() throws {
            written += 1
            #expect(try service.send("PATCH", "/v1/books/\(book)", "{\"title\":\"Emma \(written)\"}").status == 200)
        }
        for _ in 0..<200 { try write() }
        #expect(try readiness(of: service).status == 200)
        var other: OpaquePointer?
        defer { sqlite3_close_v2(other) }
        #expect(sqlite3_open_v2(service.directory + "/lectern.sqlite", &other, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK)
        #expect(sqlite3_exec(other, "BEGIN; SELECT count(*) FROM books", nil, nil, nil) == SQLITE_OK)
        for _ in 0..<200 { try write() }
        #expect(try eventually { try readiness(of: service).status == 503 })
        #expect(sqlite3_exec(other, "COMMIT", nil, nil, nil) == SQLITE_OK)
        // The writer never idles, and the next checkpoint is far away.
        #expect(
            try eventually {
                try write()
                return try readiness(of: service).status == 200
            })
        #expect(written < 5000)
    }

    @Test("The reason why a server is not ready is in the log also without probes")
    func unasked() throws {
        let service = try TestService {
            $0.readiness.diskBytesFreeMin = .max
            $0.logLevel = .info
        }
        #expect(try eventually { try count("not ready: diskLow", in: service) == 1 })
    }

    @Test("A nearly full disk makes the server not ready from the first request on")
    func lowDisk() throws {
        let service = try TestService { $0.readiness.diskBytesFreeMin = .max }
        let first = try readiness(of: service)
        #expect(first.status == 503 && first.text.contains("diskLow"), "\(first.text)")
    }
}
