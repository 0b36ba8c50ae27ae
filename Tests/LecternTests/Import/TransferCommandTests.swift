import Foundation
import JSON
import Outbound
import SharedByTests
import Testing

@Suite("Exports and imports by the command line", .serialized)
struct TransferCommandTests {
    private let folder = TestDirectory.memory.path("transfer")

    init() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    }

    private func write(_ lines: [String], _ name: String = "in.jsonl", isWhole: Bool = true) throws -> String {
        let head = "{\"kind\":\"export\",\"format\":2,\"of\":\"everything\"}"
        let end = isWhole ? ["{\"kind\":\"end\",\"lines\":\(lines.count)}"] : []
        let path = folder + "/" + name
        try Data((([head] + lines + end).joined(separator: "\n") + "\n").utf8).write(to: URL(filePath: path))
        return path
    }

    private func read(_ path: String) throws -> Data { try Data(contentsOf: URL(filePath: path)) }

    private static let times = "\"createdAt\":\"2026-01-02T03:04:05.678Z\",\"updatedAt\":\"2026-02-03T04:05:06.789Z\""
    private static let reader = "00000000-0000-7000-8000-000000000001"

    /// Returns an export of an administrator with books, readings, entries and notes with random texts.
    private func random(_ count: Int, seed: UInt64) -> [String] {
        var generator = SeededGenerator(seed: seed)
        let pieces = ["é", "e\u{301}", "\u{1F4D6}", "漢字", "=x", "\\\"", "\\\\", " ", "a", "\u{202E}", "٣", "ß", "<b>"]
        func text() -> String {
            "x"
                + (0..<Int.random(in: 0...20, using: &generator)).map { _ in pieces.randomElement(using: &generator)! }
                .joined()
        }
        func id(_ kind: Int, _ number: Int) -> String {
            "00000000-0000-700\(kind)-8000-" + String(repeating: "0", count: 12 - "\(number)".count) + "\(number)"
        }
        var lines = [
            "{\"kind\":\"reader\",\"id\":\"\(Self.reader)\",\"name\":\"\(text())\",\"role\":\"administrator\",\(Self.times)}"
        ]
        for number in 1...count {
            lines.append(
                "{\"kind\":\"book\",\"id\":\"\(id(1, number))\",\"title\":\"\(text())\",\"authors\":[\"\(text())\"],\"isbn\":null,"
                    + "\"pageCount\":100,\"language\":null,\"publishedYear\":null,\"coverURL\":null,\"addedBy\":null,\(Self.times)}"
            )
        }
        for number in 1...count {
            lines.append(
                "{\"kind\":\"reading\",\"id\":\"\(id(2, number))\",\"reader\":\"\(Self.reader)\",\"book\":\"\(id(1, number))\","
                    + "\"number\":1,\"state\":\"paused\",\"progress\":0.25,\"page\":25,\"pageCount\":100,\"latestEntry\":\"\(id(3, number))\","
                    + "\"latestEntryAt\":\"2026-01-05T00:00:00.000Z\",\"finishedAt\":null,\(Self.times)}")
        }
        for number in 1...count {
            lines.append(
                "{\"kind\":\"entry\",\"id\":\"\(id(3, number))\",\"reading\":\"\(id(2, number))\",\"progress\":0.25,\"page\":25,"
                    + "\"note\":\"\(text())\",\"device\":null,\"happenedAt\":\"2026-01-05T00:00:00.000Z\","
                    + "\"receivedAt\":\"2026-01-05T00:00:00.001Z\"}")
        }
        for number in 1...count {
            lines.append(
                "{\"kind\":\"note\",\"id\":\"\(id(4, number))\",\"book\":\"\(id(1, number))\",\"club\":null,\"author\":\"\(Self.reader)\","
                    + "\"thread\":null,\"progress\":null,\"body\":\"\(text())\\n\(text())\",\"share\":1,\(Self.times)}"
            )
        }
        return lines
    }

    @Test(
        "An export imported into a new directory is exported to the same bytes, and a second import changes nothing"
    )
    func roundTrip() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (data, out) = (folder + "/data", folder + "/out.jsonl")
        let file = try write(random(300, seed: 7))
        for output in [
            "1201 lines: 1201 created, 0 updated, 0 unchanged, 0 refused\n",
            "1201 lines: 0 created, 0 updated, 1201 unchanged, 0 refused\n",
        ] {
            let run = try Binary.run(["import", file, "--data", data])
            #expect(run.code == 0 && run.out == output, "\(run)")
            let export = try Binary.run(["export", out, "--force", "--data", data])
            #expect(export.code == 0, "\(export)")
            #expect(try read(out) == read(file))
            // The database was closed.
            #expect(!FileManager.default.fileExists(atPath: data + "/lectern.sqlite-wal"))
        }
        let mode = try FileManager.default.attributesOfItem(atPath: out)[.posixPermissions] as? Int
        #expect(mode == 0o600 && !FileManager.default.fileExists(atPath: out + ".part"))
        #expect(try Binary.run(["check", "--data", data]).code == 0)
        let again = try Binary.run(["export", out, "--data", data])
        #expect(again.code == 1 && again.err.contains("--force"), "\(again.err)")
        #expect(try read(out) == read(file), "the file was overwritten")
        let (linked, pipe) = (folder + "/link", folder + "/pipe")
        #expect(symlink(out, linked) == 0 && mkfifo(pipe, 0o600) == 0)
        for special in [linked, pipe] {
            let refused = try Binary.run(["export", special, "--force", "--data", data])
            #expect(refused.code == 2 && refused.err.contains("not a regular file"), "\(refused.err)")
        }
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: linked) == out)
        let text = try Binary.run(["export", "--own", "--format", "markdown", "--data", data])
        #expect(text.code == 0 && text.out.hasPrefix("# Readings and notes\n"), "\(text.err)")
        let account = try Binary.run(["export", "--account", Self.reader, "--data", data])
        #expect(
            account.out.hasPrefix(
                "{\"kind\":\"export\",\"format\":2,\"of\":\"account\",\"reader\":\"\(Self.reader)\"}\n"))
    }

    @Test("A book's longest chapters and largest cover pass through an export")
    func longest() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (data, out, again) = (folder + "/data", folder + "/out.jsonl", folder + "/again.jsonl")
        let token = try Binary.newData(data)
        let server = try Binary(data: data)
        let client = Client(port: server.port, token: token)
        let book = client.write("/v1/books", #"{"title":"Tristram Shandy"}"#) ?? ""
        let chapter = "{\"title\":\"" + String(repeating: #"\""#, count: 500) + "\"}"
        func chapters(_ count: Int) -> String {
            "{\"chapters\":[" + Array(repeating: chapter, count: count).joined(separator: ",") + "]}"
        }
        #expect(try client.exchange("PUT", "/v1/books/\(book)/chapters", chapters(787)).status == 422)
        #expect(try client.exchange("PUT", "/v1/books/\(book)/chapters", chapters(786)).status == 201)
        let cover = Array("GIF89a".utf8) + [UInt8](repeating: 7, count: (512 << 10) - 6)
        let put = try HTTPClient().send(
            "PUT", "http://127.0.0.1:\(server.port)/v1/books/\(book)/cover",
            fields: ["Authorization: Bearer \(token)", "Content-Type: image/gif", "Expect:"], body: cover)
        #expect(put.status / 100 == 2)
        server.stop(with: SIGTERM)
        #expect(try Binary.run(["export", out, "--data", data]).code == 0)
        let run = try Binary.run(["import", out, "--data", data + "-2"])
        #expect(run.code == 0 && run.out.contains(", 0 refused"), "\(run)")
        #expect(try Binary.run(["export", again, "--data", data + "-2"]).code == 0)
        #expect(try read(again) == read(out) && read(out).count > 1_400_000)
    }

    @Test(
        "An import into a running new server works like any other, and the imported administrator replaces the first one"
    )
    func served() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (data, out, secret) = (folder + "/data", folder + "/out.jsonl", folder + "/secret")
        let token = String(repeating: "secret-", count: 6)
        try (token + "\n").write(toFile: secret, atomically: true, encoding: .utf8)
        let server = try Binary(data: data, settings: ["--admin-token-file", secret])
        let client = Client(port: server.port, token: token)
        let first = try client.send("GET", "/v1/me")?["id"]?.string
        #expect(first != nil && first != Self.reader)
        let file = try write(random(10, seed: 9))
        for output in ["41 created, 0 updated, 0 unchanged", "0 created, 0 updated, 41 unchanged"] {
            let run = try Binary.run(["import", file, "--data", data])
            #expect(run.code == 0 && run.out == "41 lines: \(output), 0 refused\n", "\(run)")
            #expect(try Binary.run(["export", out, "--force", "--data", data]).code == 0)
            #expect(try read(out) == read(file))
        }
        let me = try client.send("GET", "/v1/me")
        #expect(me?["id"]?.string == Self.reader && me?["role"]?.string == "administrator")
        #expect(try client.send("GET", "/v1/readings")?["items"]?.elements.map { _ in 1 }.count == 10)
        #expect(try client.send("POST", "/v1/books", "{\"title\":\"Kindred\"}") != nil)
        server.stop(with: SIGTERM)
        let again = try Binary(data: data, settings: ["--admin-token-file", secret])
        #expect(try Client(port: again.port, token: token).send("GET", "/v1/me")?["id"]?.string == Self.reader)
        again.stop(with: SIGTERM)
        #expect(try Binary.run(["check", "--data", data]).code == 0)
    }

    @Test("An incomplete file imports nothing, and a refused line is reported with its number")
    func broken() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let data = folder + "/data"
        let lines = random(3, seed: 8)
        let cut = try write(lines, isWhole: false)
        let run = try Binary.run(["import", cut, "--data", data])
        #expect(run.code == 1 && run.err.contains("its last line is missing. Nothing was imported"), "\(run.err)")
        #expect(!FileManager.default.fileExists(atPath: data))
        let junk = try write(["{\"kind\":"])
        #expect(try Binary.run(["import", junk, "--data", data]).err.contains("in.jsonl:2: byte"))
        var wrong = lines
        wrong[2] = wrong[2].replacing("\"pageCount\":100", with: "\"pageCount\":-1")
        let output = try Binary.run(["import", write(wrong), "--data", data])
        #expect(output.code == 1 && output.err.contains("in.jsonl:4: /pageCount: must be"), "\(output.err)")
        // Rows that refer to it cannot be imported either; the others are.
        #expect(output.out == "13 lines: 9 created, 0 updated, 0 unchanged, 4 refused\n", "\(output.out)")
        let mended = try Binary.run(["import", write(lines), "--data", data])
        #expect(
            mended.code == 0 && mended.out == "13 lines: 4 created, 0 updated, 9 unchanged, 0 refused\n", "\(mended)")
        var other = lines
        other[0] = other[0].replacing("\"name\":\"", with: "\"name\":\"Other ")
        let differs = try Binary.run(["import", write(other), "--data", data])
        #expect(differs.code == 1 && differs.err.contains("in.jsonl:2: The existing row differs in: name"))
        let replaced = try Binary.run(["import", "--replace", write(other), "--data", data])
        #expect(replaced.code == 0 && replaced.out.contains("1 updated, 12 unchanged"), "\(replaced)")
        let place = try #require(lines.firstIndex { $0.contains("\"kind\":\"entry\"") })
        for (wrong, reason) in [("", "/progress: is required"), ("\"progres\":0.5,", "did you mean \"progress\"?")] {
            var entry = lines
            entry[place] = entry[place].replacing(/"progress":[0-9.]+,/, with: wrong)
            let refused = try Binary.run(["import", write(entry), "--data", data])
            #expect(refused.code == 1 && refused.err.contains("in.jsonl:\(place + 2): "), "\(refused.err)")
            #expect(refused.err.contains(reason), "\(refused.err)")
        }
    }
}
