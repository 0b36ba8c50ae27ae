import Foundation
import Glibc
import HTTPServer
import JSON
import Model
import SharedByTests
import Testing

@testable import API

@Suite("The log", .serialized, .ownThreads)
struct LogTests {
    /// A pipe that a log writes to.
    fileprivate final class Reader: @unchecked Sendable {
        let pipe = Pipe()
        var descriptor: Int32 { pipe.fileHandleForWriting.fileDescriptor }
        var lines: [Substring] {
            pipe.fileHandleForWriting.closeFile()
            return String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self).split(
                separator: "\n")
        }
    }

    @Test(
        "A request's id is in its response, its problem and its log line, which has route, status and reader and no secret"
    )
    func lines() throws {
        let service = try TestService {
            $0.logLevel = .info
            $0.logsRequests = true
            $0.logDescriptor = open("/dev/null", O_WRONLY)
        }
        let me = try #require(try service.send("GET", "/v1/me")["id"]?.string)
        let path = "/v1/books/01890000-0000-7000-8000-000000000001"
        let answer = try service.send("GET", path, fields: ["X-Request-Id: mine-1"])
        #expect(answer.status == 404 && answer.fields["x-request-id"] == "mine-1")
        #expect(answer["requestId"]?.string == "mine-1")
        let refused = try service.send("GET", "/v1/me?secret=\(service.token)", fields: ["X-Request-Id: mine-2"])
        #expect(refused.status == 400)
        _ = try service.send("POST", "/v1/books", "{\"title\":\"Kindred\"}", fields: ["X-Request-Id: mine-3"])
        func line(_ id: String) throws -> JSONValue? {
            let page = try JSONDocument(Array(service.send("GET", "/v1/admin/log?lines=1000").text.utf8)).root
            return page["items"]?.elements.map { $0 }.first { $0["requestId"]?.string == id }
        }
        #expect(try eventually { try line("mine-3") != nil })
        let found = try #require(try line("mine-1"))
        #expect(found["status"]?.integer == 404 && found["route"]?.string == "/v1/books/{id}")
        #expect(found["method"]?.string == "GET" && found["level"]?.string == "info")
        #expect(found["reader"]?.string == me && found["milliseconds"] != nil)
        #expect(try line("mine-3")?["status"]?.integer == 201)
        let text = try service.send("GET", "/v1/admin/log?lines=1000").text
        #expect(!text.contains(service.token) && !text.contains("secret") && !text.contains(path))
        #expect(!text.contains("Kindred"))
    }

    @Test("Each log level includes the ones before it, and can be changed while the server runs")
    func levels() throws {
        for (level, given) in zip(
            ServerLogLevel.allCases, [["e"], ["e", "w"], ["e", "w", "i"], ["e", "w", "i", "d"]])
        {
            let reader = Reader()
            let log = ServerLog(level: level, descriptor: reader.descriptor)
            log.error("e")
            log.warning("w")
            log.info("i")
            log.debug("d")
            let words: [String] = reader.lines.compactMap { line in line.split(separator: " ").last.map { String($0) } }
            #expect(words == given)
        }
        let reader = Reader()
        let log = ServerLog(level: .error, descriptor: reader.descriptor)
        log.info("before")
        log.level = .info
        log.info("after")
        #expect(reader.lines.count == 1)
    }

    @Test("A log record is one line, whatever its content, in both formats")
    func oneLine() throws {
        for format in ServerLogFormat.allCases {
            let reader = Reader()
            let log = ServerLog(level: .info, format: format, descriptor: reader.descriptor)
            log.info("one\ntwo\r\u{1B}[31m\"three\"")
            let lines = reader.lines
            #expect(lines.count == 1 && !lines[0].utf8.contains { $0 < 0x20 }, "\(lines)")
            guard format == .json else { continue }
            let line = try JSONDocument(Array(lines[0].utf8)).root
            #expect(line["message"]?.string == "one\ntwo\r\u{1B}[31m\"three\"" && line["level"]?.string == "info")
        }
    }

    @Test("A log that nobody reads blocks nothing, keeps at most its maximum, and counts the omitted lines")
    func unread() throws {
        let reader = Reader()
        let log = ServerLog(level: .info, descriptor: reader.descriptor)
        log.start()
        let words = String(repeating: "x", count: 200)
        // A pipe accepts 64 KiB, and then blocks its writer.
        for number in 0..<40_000 { log.info("\(number) \(words)") }
        #expect(eventually { log.droppedCount > 10_000 })
        #expect(eventually { log.last(1, upTo: .info).count == 1 })
        let all = ReceivedEvents()
        let reading = Thread {
            while let line = reader.next() { all.add(line) }
            all.end()
        }
        reading.start()
        #expect(eventually { all.text.contains("lines were lost") })
        log.close()
        reader.pipe.fileHandleForWriting.closeFile()
        #expect(eventually { all.hasEnded })
        #expect(all.text.count < 3 << 20)
    }

    @Test("Lines that a full output does not take are counted")
    func full() throws {
        let descriptor = Glibc.open("/dev/full", O_WRONLY | O_CLOEXEC)
        try #require(descriptor >= 0)
        defer { Glibc.close(descriptor) }
        let log = ServerLog(level: .info, descriptor: descriptor)
        for number in 1...3 { log.info("line \(number)") }
        #expect(log.droppedCount == 3 && log.last(9, upTo: .info).count == 3)
    }

    @Test("A server whose log nobody reads continues, and stops when asked")
    func blocked() throws {
        let reader = Reader()
        let service = try TestService {
            $0.logLevel = .debug
            $0.logDescriptor = reader.descriptor
        }
        for _ in 0..<1500 { #expect(try service.send("GET", "/healthz", token: "").status == 200) }
        service.stop()
    }

    @Test("The reason why a server is not ready is logged once, whatever the level of probes, and so is its end")
    func readiness() throws {
        let service = try TestService {
            $0.readiness.diskBytesFreeMin = .max
            $0.readiness.stalledMillisecondsMax = .max
            $0.logLevel = .info
        }
        #expect(try eventually { try service.send("GET", "/readyz", token: "").status == 503 })
        for _ in 0..<3 { _ = try service.send("GET", "/readyz", token: "") }
        _ = try service.send("FOO", "/")
        var warnings = ""
        #expect(
            try eventually {
                warnings = try service.send("GET", "/v1/admin/log?level=warning").text
                return warnings.components(separatedBy: "not ready: diskLow: The disk has").count == 2
            }, "\(warnings)")
        #expect(!warnings.contains("\"status\":50"), "\(warnings)")
    }

    @Test("A reload applies log level, requests, origins and rates at once")
    func reloaded() throws {
        let service = try TestService { $0.logDescriptor = open("/dev/null", O_WRONLY) }
        func isAllowed() throws -> Bool {
            let answer = try service.send("GET", "/healthz", token: "", fields: ["Origin: https://a.example"])
            return answer.fields["access-control-allow-origin"] == "https://a.example"
        }
        #expect(try !isAllowed())
        let origins = [try WebOrigin("https://a.example")]
        service.reload {
            $0.logsRequests = true
            $0.origins = origins
        }
        #expect(try eventually { try isAllowed() })
        _ = try service.send("GET", "/v1/me", fields: ["X-Request-Id: later"])
        #expect(try eventually { try service.send("GET", "/v1/admin/log").text.contains("\"later\"") })
        service.reload {
            $0.logsRequests = true
            $0.origins = origins
            $0.rates.token = RateLimit(perSecond: 1, burst: 1)
        }
        #expect(try eventually { try service.send("GET", "/v1/me").status == 429 })
        service.reload { _ in }
        #expect(try service.metric("lectern_limits_hit_total", "limit=\"tokenRate\"") > 0)
        #expect(try eventually { try !isAllowed() })
        _ = try service.send("GET", "/v1/me", fields: ["X-Request-Id: latest"])
        #expect(try !service.send("GET", "/v1/admin/log").text.contains("\"latest\""))
    }
}

extension LogTests {
    /// The text that a thread has read.
    private final class ReceivedEvents: @unchecked Sendable {
        private let lock = NSLock()
        private var read = ""
        private var isOver = false
        func add(_ more: String) { lock.withLock { read += more } }
        func end() { lock.withLock { isOver = true } }
        var text: String { lock.withLock { read } }
        var hasEnded: Bool { lock.withLock { isOver } }
    }
}

extension LogTests.Reader {
    fileprivate func next() -> String? {
        let data = pipe.fileHandleForReading.availableData
        return data.isEmpty ? nil : String(decoding: data, as: UTF8.self)
    }
}
