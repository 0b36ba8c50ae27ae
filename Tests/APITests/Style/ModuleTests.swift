import Foundation
import Testing

@Suite("Modules")
struct ModuleTests {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// The modules of this package that each module may import.
    static let modules: [(module: String, uses: Set<String>)] = [
        ("Bytes", []), ("Measures", []), ("Scheduling", ["CLinux"]), ("JSON", ["Bytes"]),
        ("HTTPServer", ["Bytes", "CLinux", "Measures", "Scheduling"]),
        ("Model", ["Bytes", "CDigest", "CTables", "JSON"]),
        ("Store", ["Bytes", "Measures", "Model", "JSON", "CSQLite", "CLinux", "CMigrations", "Scheduling"]),
        ("ObservableModels", ["Model", "JSON"]),
        ("Outbound", ["Bytes", "CCurl"]),
        ("OpenID", ["Bytes", "JSON", "Model", "Outbound"]),
        ("LecternClient", ["JSON", "Model", "Outbound"]),
        ("Passwords", ["Bytes", "CLinux", "CTables", "Model", "Scheduling"]),
        (
            "API",
            [
                "Bytes", "CContract", "CLinux", "CPages", "JSON", "HTTPServer", "Measures", "Model", "Passwords",
                "Scheduling", "Store", "ObservableModels", "OpenID", "Outbound",
            ]
        ),
    ]
    /// The system modules. Foundation itself is not among them, see `The program is without ICU`.
    static let system: Set<String> = [
        "Dispatch", "FoundationEssentials", "Glibc", "Synchronization", "Observation", "Swift",
    ]
    /// The modules that compile for other systems, too.
    static let portable: Set<String> = ["Outbound", "LecternClient"]
    /// The modules for other packages, and the one whose generic code is compiled in its users. Only these have public
    /// declarations.
    static let open: Set<String> = ["JSON", "Model", "LecternClient", "Scheduling"]

    static func sources(_ folder: String) throws -> [URL] {
        let files = FileManager.default.enumerator(at: root.appending(path: folder), includingPropertiesForKeys: nil)
        return try #require(files).compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
    }

    @Test("A module imports only the modules that its line allows", arguments: modules)
    func imports(_ module: String, _ uses: Set<String>) throws {
        let files = try Self.sources("Sources/\(module)")
        #expect(!files.isEmpty)
        for file in files {
            for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
                let words = line.split(separator: " ")
                guard let place = words.firstIndex(of: "import"), place <= 1, words.count > place + 1 else { continue }
                let name = String(words[place + 1])
                #expect(uses.contains(name) || Self.system.contains(name), "\(file.lastPathComponent) imports \(name)")
                #expect(
                    name != "Glibc" || !Self.portable.contains(module), "\(file.lastPathComponent) is for Linux only")
            }
        }
    }

    /// The modules that serve any kind of resource.
    static let engine = ["Bytes", "JSON", "HTTPServer", "Measures", "ObservableModels", "Outbound", "Scheduling"]
    /// The names of features, which the engine does not know.
    static let featureNames: Set<String> = [
        "note", "notes", "noted", "club", "clubs", "meeting", "meetings", "card", "cards", "book", "books", "standing",
        "standings", "shelf", "shelves", "milestone", "milestones", "edition", "editions", "chapter", "chapters",
        "suspension", "suspended", "settings",
    ]

    @Test("The engine names no feature", arguments: engine)
    func featureNames(_ module: String) throws {
        for file in try Self.sources("Sources/\(module)") {
            for match in try String(contentsOf: file, encoding: .utf8).matches(of: /[A-Z]?[a-z]+/) {
                let word = match.output.lowercased()
                #expect(!Self.featureNames.contains(word), "\(module)/\(file.lastPathComponent) has \"\(word)\"")
                // A credential; in HTTP also the syntax of names.
                #expect(module != "ObservableModels" || word != "token", "\(file.lastPathComponent) has \"token\"")
            }
        }
    }

    /// All of Foundation would add ICU, which is twice as large as the rest of the program. Most of what is needed is
    /// in FoundationEssentials, or in `CTables`.
    @Test("The program has no dependency on ICU")
    func essentials() throws {
        for module in Self.modules.map(\.module) + ["lectern"] {
            for file in try Self.sources("Sources/\(module)") {
                let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
                #expect(!lines.contains { $0.hasSuffix("import Foundation") }, "\(module)/\(file.lastPathComponent)")
            }
        }
    }

    @Test("Only declarations for other packages are public")
    func publicity() throws {
        let known = Self.modules.map(\.module) + ["lectern", "lectern-bench", "lectern-example"]
        for module in known where !Self.open.contains(module) {
            for file in try Self.sources("Sources/\(module)") {
                let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
                let words = lines.flatMap { $0.split(separator: " ").prefix(2) }
                #expect(!words.contains("public"), "\(file.lastPathComponent) of \(module)")
            }
        }
    }

    @Test("The Swift example in the help is the one that is built")
    func example() throws {
        let topic = try String(
            contentsOf: Self.root.appending(path: "docker/help/streams.md"), encoding: .utf8)
        let example = try String(
            contentsOf: Self.root.appending(path: "Sources/lectern-example/main.swift"), encoding: .utf8)
        #expect(topic.contains("```swift\n\(example)```\n"))
        #expect(example.split(separator: "\n", omittingEmptySubsequences: false).dropLast().count <= 30)
    }

    @Test("Package.swift has no package dependencies")
    func dependencies() throws {
        let manifest = try String(contentsOf: Self.root.appending(path: "Package.swift"), encoding: .utf8)
        #expect(!manifest.contains(".package("))
    }

    @Test("A stopped server holds none of its files")
    func lettingGo() throws {
        func files(in directory: String) throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
                try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
            }.filter { $0.contains(directory) }
        }
        var service: TestService? = try TestService()
        let directory = service?.directory ?? ""
        _ = try service?.send("GET", "/v1/me")
        #expect(try !files(in: directory).isEmpty)
        service = nil
        #expect(try files(in: directory).isEmpty)
    }
}
