import Foundation
import SharedByTests
import Testing

@testable import lectern

@Suite("Completion scripts")
struct CompletionTests {
    private static let firstWords: [String] = Subcommand.all.map { $0.words[0] }.reduce(into: []) { words, word in
        if !words.contains(word) { words.append(word) }
    }

    /// Runs bash with the completion script, and returns the completions of a command line whose last word is
    /// unfinished.
    private static func complete(_ words: [String]) throws -> [String] {
        let test = """
            \(CompletionScript.bash.text)
            COMP_WORDS=(lectern "$@") COMP_CWORD=$#
            _lectern '\(Binary.path)' "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        let process = Process()
        process.executableURL = URL(filePath: "/bin/bash")
        process.arguments = ["-uc", test, "bash"] + words
        process.currentDirectoryURL = URL(filePath: TopicTests.folder.path())
        let (out, err) = (Pipe(), Pipe())
        process.standardOutput = out
        process.standardError = err
        try process.run()
        let text = String(decoding: out.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        let complaint = String(decoding: err.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0 && complaint.isEmpty, "\(complaint)")
        return text.split(separator: "\n").map(String.init)
    }

    @Test("The program prints the script of each shell", arguments: CompletionScript.allCases)
    func contents(_ shell: CompletionScript) throws {
        #expect(try Binary.run(["completion", shell.rawValue]).out == shell.text)
    }

    @Test("bash completes the words of commands")
    func commands() throws {
        #expect(try Self.complete([""]) == Self.firstWords)
        #expect(try Self.complete(["com"]) == ["compact", "completion"])
        #expect(try Self.complete(["token", ""]) == ["create", "list", "revoke"])
        #expect(try Self.complete(["token", "cr"]) == ["create"])
        #expect(try Self.complete(["completion", ""]) == ["bash", "zsh", "fish"])
        #expect(try Self.complete(["help", "str"]) == ["streams"])
        #expect(Set(try Self.complete(["help", ""])) == Set(Self.firstWords + HelpTopic.all.map(\.name)))
    }

    @Test("bash completes every flag of a command", arguments: Subcommand.all.map(\.name))
    func flags(_ name: String) throws {
        let command = try #require(Subcommand.all.first { $0.name == name })
        #expect(try Self.complete(command.words + ["--"]) == command.flags.map { "--\($0.name)" } + ["--help"])
        #expect(try Self.complete(command.words + ["x", "--"]) == command.flags.map { "--\($0.name)" } + ["--help"])
    }

    @Test("bash completes the values of flags, and file names")
    func values() throws {
        #expect(try Self.complete(["--log-level", ""]) == ["error", "warning", "info", "debug"])
        #expect(try Self.complete(["serve", "--open-catalogue", "t"]) == ["true"])
        #expect(try Self.complete(["--lis"]) == ["--listen"])
        #expect(try Self.complete(["--demo", "--lis"]) == ["--listen"])
        #expect(try Self.complete(["serve", "--listen", ""]) == [])
        #expect(try Self.complete(["serve", "--settings", "setti"]) == ["settings.md"])
        #expect(try Self.complete(["serve", "--data", "setti"]) == [])
        #expect(try Self.complete(["import", "b"]).sorted() == ["backup.md", "books", "books.md", "building.md"])
        #expect(try Self.complete(["import", "books", "boo"]) == ["books.md"])
        #expect(try Self.complete(["export", "--own", "boo"]) == ["books.md"])
        #expect(try Self.complete(["check", "boo"]) == [])
    }
}
