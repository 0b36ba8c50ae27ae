import Foundation
import JSON
import SharedByTests
import Testing

/// A separate directory with files, and a data directory.
final class ImportFixture {
    let folder = TestDirectory.memory.path("desk")

    init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    func write(_ name: String, _ bytes: [UInt8]) throws -> String {
        let path = folder + "/" + name
        try FileManager.default.createDirectory(
            atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try Data(bytes).write(to: URL(filePath: path))
        return path
    }

    func load(_ name: String, _ text: String, _ flags: String...) throws -> (code: Int32, out: String, err: String) {
        try load(name, text, flags)
    }

    func load(_ name: String, _ text: String, _ flags: [String]) throws -> (code: Int32, out: String, err: String) {
        try Binary.run(
            ["import", "books", try write(name, Array(text.utf8)), "--data", folder + "/data"] + flags)
    }

    /// Returns the titles of the catalogue, in the order of their creation.
    func titles() throws -> [String] { try books().compactMap { $0["title"]?.string } }

    /// Returns the authors of each book.
    func authors() throws -> [[String]] {
        try books().map { $0["authors"]?.elements.compactMap(\.string) ?? [] }
    }

    private func books() throws -> [JSONValue] {
        let server = try Binary(data: folder + "/data")
        defer { server.kill() }
        let token = try Binary.run(["token", "create", "--name", "t", "--data", folder + "/data"]).out
        let client = Client(port: server.port, token: token.trimmingCharacters(in: .newlines))
        return try client.send("GET", "/v1/books?sort=createdAt&limit=100")?["items"]?.elements.map(\.self) ?? []
    }
}
