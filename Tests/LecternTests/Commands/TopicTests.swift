import Foundation
import SharedByTests
import Store
import Testing

@testable import lectern

@Suite("Topics of the help")
struct TopicTests {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "docker/help")

    @Test("Every file of docker/help is in the binary, by its name, and nothing else is")
    func files() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path()).sorted()
        #expect(HelpTopic.all.map { $0.name + ".md" } == files)
    }

    @Test("A topic has a title, and is short enough to be read", arguments: HelpTopic.all.map(\.name))
    func form(_ name: String) throws {
        let topic = try #require(HelpTopic.all.first { $0.name == name })
        let file = try String(contentsOf: Self.folder.appending(path: name + ".md"), encoding: .utf8)
        #expect(Array(topic.text.utf8) == Array(file.utf8), "it is not what the binary was built of")
        let lines = file.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        #expect(lines.count <= 150 && file.hasPrefix("# ") && file.hasSuffix("\n"), "\(lines.count) lines")
        for line in lines where !line.hasPrefix("|") && !line.hasPrefix("    ") {
            #expect(line.count <= 130, "\(line)")
        }
    }

    @Test("A topic is printed as it is, and beside what a command of its name takes")
    func printing() throws {
        for topic in HelpTopic.all {
            let output = try Binary.run(["help", topic.name])
            #expect(output.code == 0 && output.out.hasSuffix(topic.text))
        }
    }

    @Test("`lectern version` prints the versions of the program, the schema and SQLite")
    func version() throws {
        let output = try Binary.run(["version"]).out
        #expect(
            output
                == "lectern \(ProgramRelease.version)\nschema \(ProgramRelease.schema)\nSQLite \(ProgramRelease.sqlite)\n"
        )
        for flag in ["-v", "--version"] {
            #expect(try Binary.run([flag]) == (0, "lectern \(ProgramRelease.version)\n", ""))
        }
        let changes = try String(
            contentsOf: Self.folder.appending(path: "../../CHANGELOG.md"), encoding: .utf8)
        #expect(changes.contains("\n## \(ProgramRelease.version)"))
        let image = try String(contentsOf: Self.folder.appending(path: "../Dockerfile"), encoding: .utf8)
        #expect(image.contains("\nARG VERSION=\(ProgramRelease.version)\n"))
    }

    @Test("A service is alive while it serves, and not before or after")
    func health() throws {
        let data = TestDirectory.memory.path("health")
        defer { try? FileManager.default.removeItem(atPath: data) }
        #expect(try Binary.run(["health", "--data", data]).code == 1)
        let server = try Binary(data: data)
        #expect(try Binary.run(["health", "--data", data]) == (0, "alive\n", ""))
        server.kill()
        let output = try Binary.run(["health", "--data", data])
        #expect(output.code == 1 && output.err.contains("No server responds"))
    }

    @Test("The help has every setting of a server, with its flag, variable and default")
    func settings() throws {
        let table = try String(contentsOf: Self.folder.appending(path: "settings.md"), encoding: .utf8)
        let serve = try #require(lectern.Subcommand.all.first { $0.words == ["serve"] })
        let rows = (serve.flags + [.server, .token]).map { flag in
            let defaultValue = flag.defaultValue.map { "`\($0)`" } ?? flag.defaultText
            return "| `--\(flag.name)` | `\(flag.variable)` | \(defaultValue) |"
        }
        let found = table.split(separator: "\n").map(String.init).filter { $0.hasPrefix("| `--") }
        #expect(found == rows)
    }

    @Test("The help has every limit that a problem can name")
    func limits() throws {
        let help = try String(contentsOf: Self.folder.appending(path: "limits.md"), encoding: .utf8)
        let sources = Self.folder.appending(path: "../../Sources")
        var names: Set = ["readMillisecondsMax", "registrationsPerHour", "tokenRate", "readerRate", "addressRate"]
        for file in FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil) ?? .init() {
            guard let file = file as? URL, file.pathExtension == "swift" else { continue }
            let text = try String(contentsOf: file, encoding: .utf8)
            names.formUnion(text.matches(of: #/"([a-z][A-Za-z]*(?:Max|Min))"/#).map { String($0.output.1) })
        }
        // A field of invitations.
        names.remove("usesMax")
        #expect(names.count > 45 && names.filter { !help.contains("`\($0)`") }.sorted() == [])
    }

    @Test("Every variable in the deployment files is a setting")
    func variables() throws {
        // Variables of Caddy.
        let others = Set(["LECTERN_SITE", "LECTERN_UPSTREAM"])
        let folder = Self.folder.deletingLastPathComponent()
        let names = ["Caddyfile", "Dockerfile", "compose.yaml", "lectern.service", "nginx.conf"]
        let files =
            names.map { folder.appending(path: $0) }
            + HelpTopic.all.map { Self.folder.appending(path: "\($0.name).md") }
        for file in files {
            let text = try String(contentsOf: file, encoding: .utf8)
            for name in text.matches(of: #/LECTERN_[A-Z_]*[A-Z]/#).map({ String($0.output) })
            where !others.contains(name) {
                #expect(CommandLineFlag.all.contains { $0.variable == name }, "\(name) in \(file.lastPathComponent)")
            }
        }
    }
}
