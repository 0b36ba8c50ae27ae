import Foundation
import Testing

/// Tests of the form of the sources. `ModuleTests` checks the imports.
@Suite("Style")
struct StyleTests {
    struct Source {
        let module: Substring
        let name: String
        let lines: [Substring]
    }

    static func sources() throws -> [Source] {
        let root = ModuleTests.root.appending(path: "Sources").path() + "/"
        return try ModuleTests.sources("Sources").map { file in
            let text = try String(contentsOf: file, encoding: .utf8)
            return Source(
                module: file.path().dropFirst(root.count).prefix { $0 != "/" }, name: file.lastPathComponent,
                lines: text.split(separator: "\n", omittingEmptySubsequences: false).dropLast())
        }
    }

    @Test("A file has at most 250 lines, and the one in the middle 60 to 120")
    func files() throws {
        let sources = try Self.sources()
        for file in sources {
            #expect(file.lines.count <= 250, "\(file.module)/\(file.name) has \(file.lines.count) lines")
        }
        let counts = sources.filter { !["lectern-bench", "lectern-example"].contains($0.module) }.map(\.lines.count)
            .sorted()
        #expect((60...120).contains(counts[counts.count / 2]), "of \(counts.count) files")
    }

    @Test("A file is named after its main type, and file names are unique in a module")
    func names() throws {
        var known: Set<String> = []
        for file in try Self.sources() {
            #expect(known.insert("\(file.module)/\(file.name)").inserted, "\(file.module) has two \(file.name)")
            for word in ["Manager", "Helper", "Util", "Impl"] { #expect(!file.name.contains(word), "\(file.name)") }
        }
    }

    @Test("A folder has at most 25 files")
    func folders() throws {
        let files = try ModuleTests.sources("Sources") + ModuleTests.sources("Tests")
        #expect(!files.isEmpty)
        for (folder, files) in Dictionary(grouping: files, by: { $0.deletingLastPathComponent().path() }) {
            #expect(files.count <= 25, "\(folder) has \(files.count) files")
        }
    }

    @Test("A function fits on a screen: 60 lines")
    func functions() throws {
        for file in try Self.sources() {
            let most = 60
            for function in Self.functions(file.lines) {
                #expect(
                    function.count <= most,
                    "\(file.module)/\(file.name):\(function.lowerBound + 1) has \(function.count) lines")
            }
        }
    }

    @Test("The lines of a function are counted from its declaration")
    func finding() {
        func text(_ text: String) -> [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }
        let module = text(
            """
            struct A {
                var one: Int { 1 }
                let two = 2
                @_lifetime(copy self)
                package mutating func three<T>(
                    _ first: T, second: Int
                ) throws(E) -> Int
                where T: P {
                    if first { return 1 }
                    switch second {
                    default: break
                    }
                }

                init() {
                }

                static let four: [Int] = [
                    4
                ]
                let five = Six {
                    5
                }
            }
            """)
        #expect(Self.functions(module).map { $0.lowerBound + 1...$0.upperBound } == [5...13, 15...16, 21...23])
    }

    /// Returns the lines of each function, initializer and computed property. They extend from its declaration to the
    /// first closing brace at the same indentation, which suffices because the code is formatted.
    static func functions(_ lines: [Substring]) -> [Range<Int>] {
        lines.indices.compactMap { first in
            let indentation = lines[first].prefix { $0 == " " }
            let words = lines[first].dropFirst(indentation.count).split { $0 == " " || $0 == "(" || $0 == "<" }
            guard let kind = words.first(where: { !isModifier($0) }), isDeclaration(kind) else { return nil }
            // A signature continues in lines that are indented further, close its parentheses, or begin with a where
            // clause.
            let rest = lines[(first + 1)...].prefix { line in
                !["let", "var"].contains(kind) && ["    ", ")", "where "].contains { line.hasPrefix(indentation + $0) }
            }
            let opening = lines[first..<rest.endIndex].firstIndex {
                $0.hasSuffix("{") || $0.hasSuffix(" in") || $0.hasSuffix("}")
            }
            guard let opening, !lines[opening].hasSuffix("}") else { return nil }
            let last = lines[(opening + 1)...].firstIndex { $0.hasPrefix(indentation + "}") }
            return last.map { first..<$0 + 1 }
        }
    }

    private static func isModifier(_ word: Substring) -> Bool {
        word.hasPrefix("@") || word.hasSuffix(")")
            || [
                "public", "package", "private", "fileprivate", "static", "mutating", "consuming", "borrowing", "final",
                "nonisolated", "override", "unowned", "weak", "lazy",
            ].contains(word)
    }

    private static func isDeclaration(_ word: Substring) -> Bool {
        ["func", "var", "let", "init", "init?", "deinit", "subscript"].contains(word)
    }
}
