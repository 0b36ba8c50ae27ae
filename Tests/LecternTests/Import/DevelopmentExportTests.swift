import Foundation
import SharedByTests
import Testing

@Suite("An export of a development version", .ownThreads)
struct DevelopmentExportTests {
    /// The export of the last development version after the README's tour: a club with runs, milestones, a meeting and
    /// notes.
    private static let export = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Transfer/development.jsonl")

    private func count(_ kind: String, in text: String) -> Int {
        text.split(separator: "\n").count { $0.hasPrefix("{\"kind\":\"\(kind)\"") }
    }

    @Test("The import takes every line of it, and the database is sound and exports as many records again")
    func development() throws {
        let data = TestDirectory.memory.path("development")
        defer { try? FileManager.default.removeItem(atPath: data) }
        let imported = try Binary.run(["import", Self.export.path, "--data", data])
        #expect(imported.code == 0, "\(imported.err)")
        let check = try Binary.run(["check", "--data", data])
        #expect(check.code == 0, "\(check.out)")
        let exported = try Binary.run(["export", "--data", data])
        #expect(exported.code == 0, "\(exported.err)")
        let text = try String(contentsOf: Self.export, encoding: .utf8)
        let kinds = [
            "reader", "account", "settings", "book", "reading", "entry", "shelfBook", "scene", "club", "member",
            "formerMember", "milestone", "meeting", "note",
        ]
        for kind in kinds {
            #expect(count(kind, in: text) > 0 && count(kind, in: exported.out) == count(kind, in: text), "\(kind)")
        }
        #expect(count("clubBook", in: text) > 0 && count("run", in: exported.out) == count("clubBook", in: text))
    }
}
