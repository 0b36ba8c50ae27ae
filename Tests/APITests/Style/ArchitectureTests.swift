import Foundation
import Testing

/// Comparisons of the pictures in `docker/help/architecture.md` with the package and its sources.
@Suite("The pictures of the architecture")
struct ArchitectureTests {
    /// The chains of nodes in the pictures, by the title above each.
    private static func pictures() throws -> [String: [[String]]] {
        let text = try String(
            contentsOf: ModuleTests.root.appending(path: "docker/help/architecture.md"), encoding: .utf8)
        var pictures: [String: [[String]]] = [:]
        var title = ""
        for line in text.split(separator: "\n") {
            if line.hasPrefix("## ") { title = String(line.dropFirst(3)) }
            guard line.contains("-->") else { continue }
            pictures[title, default: []].append(
                line.split(separator: "-->").map { $0.trimmingCharacters(in: .whitespaces) })
        }
        return pictures
    }

    /// The dependencies of each module that is written in Swift, from `Package.swift`.
    private static func dependencies() throws -> [String: Set<String>] {
        let text = try String(contentsOf: ModuleTests.root.appending(path: "Package.swift"), encoding: .utf8)
        let declaration = try Regex(#"(?:module\(|\.executableTarget\(\s*name:)\s*"(\w+)"[^\]]*?(?:\[([^\]]*)\]|\))"#)
        var modules: [String: Set<String>] = [:]
        for match in text.matches(of: declaration) {
            let names = (match[2].substring ?? "").split { !$0.isLetter && !$0.isNumber }.map(String.init)
            modules[String(match[1].substring ?? "")] = Set(names)
        }
        return modules.mapValues { $0.intersection(modules.keys) }
    }

    @Test("The modules and their dependencies are those of the package")
    func modules() throws {
        let all = try Self.dependencies().filter { !["lectern-bench", "lectern-example"].contains($0.key) }
        func reached(from name: String) -> Set<String> {
            (all[name] ?? []).reduce(into: all[name] ?? []) { $0.formUnion(reached(from: $1)) }
        }
        // A dependency of a dependency is not drawn.
        let drawn = all.mapValues { direct in
            direct.filter { name in !direct.contains { $0 != name && reached(from: $0).contains(name) } }
        }
        let expected = drawn.flatMap { name, uses in uses.map { "\(name) --> \($0)" } }
        let pictured = try #require(Self.pictures()["Modules"]).map { $0.joined(separator: " --> ") }
        #expect(pictured.sorted() == expected.sorted())
        #expect(expected.count > 15)
    }

    @Test("Each step of the four ways is a function of that type")
    func steps() throws {
        var functions: Set<String> = []
        for file in try ModuleTests.sources("Sources") {
            var type = ""
            for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
                let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
                if !line.hasPrefix(" "), let kind = words.firstIndex(where: Self.isType), kind + 1 < words.count {
                    type = String(words[kind + 1])
                } else if let kind = words.firstIndex(of: "func"), kind + 1 < words.count {
                    functions.insert("\(type).\(words[kind + 1])")
                }
            }
        }
        let ways = try Self.pictures().filter { $0.key != "Modules" }
        #expect(ways.count == 4)
        for (title, chains) in ways {
            for step in chains.joined() { #expect(functions.contains(step), "\(title): there is no \(step)") }
            for (chain, next) in zip(chains, chains.dropFirst()) { #expect(chain.last == next.first, "\(title)") }
        }
    }

    private static func isType(_ word: Substring) -> Bool {
        ["struct", "class", "enum", "actor", "extension", "protocol"].contains(word)
    }
}
