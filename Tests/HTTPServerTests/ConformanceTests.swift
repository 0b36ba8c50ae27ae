import Bytes
import Foundation
import Testing

@testable import HTTPServer

extension SocketTests {
    /// Tests with llhttp's strict request cases, over real connections.
    @Suite("The llhttp suite")
    struct ConformanceTests {
        private struct Case: Sendable {
            let id: String
            let bytes: [UInt8]
            let isAccepted: Bool
        }

        /// The cases that a parser accepts, but not this server.
        private static let refusals: [String: String] = [
            "method.md:374": "ICE/1.0 is not HTTP", "method.md:404": "RTSP/1.0 is not HTTP",
            "method.md:432": "RTSP/1.0 is not HTTP",
            "method.md:29": "CONNECT is for proxies", "method.md:64": "CONNECT is for proxies",
            "method.md:98": "CONNECT is for proxies", "uri.md:190": "CONNECT is for proxies",
            "method.md:137": "only OPTIONS has the target *", "method.md:460": "only OPTIONS has the target *",
            "sample.md:316": "HTTP/0.9",
            "transfer-encoding.md:753": "the only coding is chunked, once",
            "transfer-encoding.md:795": "the only coding is chunked, once",
            "uri.md:6": "a quotation mark in a target must be escaped (RFC 3986, 2)",
            "uri.md:104": "a bar in a target must be escaped (RFC 3986, 2)",
            "uri.md:167": "a fragment is never sent (RFC 9112, 3.2)",
            "uri.md:224": "userinfo in a request target is an error (RFC 9110, 4.2.4)",
        ]
        /// The cases with methods that no route has: the handler answers 501.
        private static let unknownMethods: Set<String> = [
            "method.md:6", "method.md:219", "method.md:247", "method.md:275", "method.md:313", "method.md:346",
            "method.md:484",
        ]

        private static var path: String {
            var folder = URL(fileURLWithPath: #filePath)
            for _ in 0..<3 { folder.deleteLastPathComponent() }
            return folder.appendingPathComponent("../shared/suites/http/llhttp-requests.json").path
        }
        private static var isThere: Bool { FileManager.default.fileExists(atPath: path) }

        private func cases() throws -> [Case] {
            let data = try Data(contentsOf: URL(fileURLWithPath: Self.path))
            let rows = try #require(try JSONSerialization.jsonObject(with: data) as? [[String: Any]])
            return try rows.map { row in
                let hex = [UInt8](try #require(row["hex"] as? String).utf8)
                let bytes = try stride(from: 0, to: hex.count - 1, by: 2).map {
                    try #require(hex[$0].hexValue) << 4 | #require(hex[$0 + 1].hexValue)
                }
                return Case(
                    id: try #require(row["id"] as? String), bytes: bytes,
                    isAccepted: row["expect"] as? String == "accept")
            }
        }

        /// Adds a Host field to every request that has none.
        private func withHost(_ bytes: [UInt8]) -> [UInt8] {
            let lines = bytes.split(separator: 10, omittingEmptySubsequences: false).map { [UInt8]($0) + [10] }
            var result: [UInt8] = []
            for (index, line) in lines.enumerated() {
                let line = index == lines.count - 1 ? Array(line.dropLast()) : line
                result += line
                let text = String(decoding: line, as: UTF8.self)
                guard text.contains(" HTTP/1.") else { continue }
                let head = lines[(index + 1)...].prefix { $0 != [13, 10] }
                if !head.contains(where: { String(decoding: $0, as: UTF8.self).lowercased().hasPrefix("host:") }) {
                    result += [UInt8]("Host: a\r\n".utf8)
                }
            }
            return result
        }

        /// Returns the statuses of the responses when the client sends these bytes and no more.
        private func exchange(_ server: TestServer, _ bytes: [UInt8], bytewise: Bool) throws -> [Int] {
            let client = try server.client()
            if bytewise { for byte in bytes { client.send([byte]) } } else { client.send(bytes) }
            client.finishSending()
            return client.readAll().statuses
        }

        private func check(_ row: Case, _ statuses: [Int]) {
            let isRefused = statuses.contains { $0 >= 400 }
            if !row.isAccepted {
                #expect(isRefused || statuses.isEmpty, "\(row.id) must be rejected: \(statuses)")
            } else if Self.refusals[row.id] != nil {
                #expect(isRefused && statuses.first.map { $0 >= 400 } == true, "\(row.id): \(statuses)")
            } else if Self.unknownMethods.contains(row.id) {
                #expect(statuses.first == 501, "\(row.id): \(statuses)")
            } else {
                // A case with an incomplete body is not refused: the server waits for the rest.
                #expect(statuses.first.map { $0 == 200 } ?? isIncomplete(row.bytes), "\(row.id): \(statuses)")
            }
        }

        /// Returns whether the parser itself expects more bytes.
        private func isIncomplete(_ bytes: [UInt8]) -> Bool {
            var head = RequestHead(fieldsMax: 100)
            var bytes = withHost(bytes)
            switch ParseStatus({ () throws(RequestRefusal) in try head.parse(bytes.span, HTTPLimits()) }) {
            case .incomplete: return true
            case .refused: return false
            case .complete: break
            }
            guard head.framing == .chunked else {
                if case .length(let length) = head.framing { return bytes.count - head.end < length }
                return false
            }
            var read = head.end
            var write = head.end
            let end = bytes.count
            return bytes.withUnsafeMutableBytes {
                let base = $0.baseAddress!
                return ParseStatus { () throws(RequestRefusal) in
                    try head.chunks.decode(base, read: &read, write: &write, end: end, HTTPLimits())
                }
            } == ParseStatus.incomplete
        }

        @Test("Every case is served or refused as it should be", .enabled(if: isThere, "../shared is absent"))
        func suite() throws {
            let cases = try cases()
            #expect(cases.count == 117)
            let server = try TestServer()
            for row in cases {
                let bytes = row.isAccepted ? withHost(row.bytes) : row.bytes
                check(row, try exchange(server, bytes, bytewise: false))
                check(row, try exchange(server, bytes, bytewise: true))
            }
            #expect(try server.isAlive())
            #expect(server.isClean())
        }
    }
}
