import Testing

@testable import lectern

@Suite("Help screens")
struct HelpScreenTests {
    private static func lines(_ text: String) -> [Substring] {
        text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    }

    /// Returns a text with every line break and the spaces around it as one space.
    private static func joined(_ text: String) -> String {
        text.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
    }

    @Test("The list of commands fits a screen and has every command and topic")
    func list() throws {
        let text = HelpScreen().text
        let lines = Self.lines(text)
        #expect(lines.count <= 40)
        for line in lines { #expect(line.count <= 100, "\(line)") }
        for command in Subcommand.all {
            #expect(lines.contains { $0.hasPrefix("  \(command.usage) ") && $0.hasSuffix(command.about) })
        }
        let words = Set(text.split { $0 == " " || $0 == "," || $0 == "\n" })
        for topic in HelpTopic.all { #expect(words.contains(topic.name[...]), "\(topic.name)") }
        for words in [["help"], ["--help"], ["-h"]] { #expect(try Binary.run(words).out == text) }
    }

    @Test("A command's help is at most 100 columns wide, and 130 lines long", arguments: Subcommand.all.map(\.name))
    func size(_ name: String) throws {
        let command = try #require(Subcommand.all.first { $0.name == name })
        let lines = Self.lines(HelpScreen(of: command).text)
        #expect(lines.count <= (name == "serve" ? 130 : 40))
        for line in lines { #expect(line.count <= 100, "\(line)") }
    }

    @Test("A command's help has each flag with its default and its variable", arguments: Subcommand.all.map(\.name))
    func flags(_ name: String) throws {
        let command = try #require(Subcommand.all.first { $0.name == name })
        let text = try Binary.run(command.words + ["--help"]).out
        #expect(text == HelpScreen(of: command).text)
        let flat = Self.joined(text)
        for flag in command.flags {
            let notes = "[default: \(flag.defaultText)] [env: \(flag.variable)]"
            #expect(flat.contains("\(flag.usage) \(flag.about) \(notes)"), "\(flag.name)")
        }
        #expect(flat.contains("Usage: lectern \(command.usage)"))
    }

    @Test("The help of help has each topic with its title")
    func titles() throws {
        let help = try #require(Subcommand.all.first { $0.name == "help" })
        let lines = HelpScreen(of: help).text.split(separator: "\n")
        for topic in HelpTopic.all {
            #expect(lines.contains { $0.hasPrefix("  \(topic.name) ") && $0.hasSuffix(topic.title) }, "\(topic.name)")
        }
    }

    @Test("A command's example is a command line that the program accepts", arguments: Subcommand.all.map(\.name))
    func examples(_ name: String) throws {
        let command = try #require(Subcommand.all.first { $0.name == name })
        // The shell's part of an example follows the first command.
        let line = command.example.split(separator: " > ")[0]
        var words: [String] = []
        for (index, part) in line.split(separator: "\"", omittingEmptySubsequences: false).enumerated() {
            words += index.isMultiple(of: 2) ? part.split(separator: " ").map(String.init) : [String(part)]
        }
        #expect(try CommandLineArguments(words, environment: [:]).command.words == command.words)
        for topic in command.topics { #expect(HelpTopic.all.contains { $0.name == topic }, "\(topic)") }
    }

    @Test("A flag with a number ends in its unit, unless it counts things")
    func units() {
        let units = ["-ms", "-minutes", "-hours", "-days", "-mib", "-per-second"]
        let counts = [
            "event-loops", "max-backups", "max-connections", "max-registrations-per-hour", "max-streams-per-reader",
            "max-streams-per-token", "retention-changes",
        ]
        let numbers = CommandLineFlag.all.filter { flag in
            flag.value == "N" || flag.value == "N:BURST" || flag.defaultValue.map { Int($0) != nil } ?? false
        }
        let others = numbers.map(\.name).filter { name in !units.contains { name.hasSuffix($0) } }
        #expect(others.sorted() == counts)
        // Only numbers are called N.
        for flag in CommandLineFlag.all where flag.value.hasPrefix("N:") || flag.value == "N" {
            #expect(flag.defaultValue?.first?.isNumber == true, "\(flag.name)")
        }
    }

    @Test("A flag of several commands has the same kind of value in each, and its default is one of its choices")
    func values() {
        for flag in Subcommand.all.flatMap(\.flags) {
            #expect(flag.value == CommandLineFlag.all.first { $0.name == flag.name }?.value, "\(flag.name)")
            guard flag.choices.count > 1 else { continue }
            #expect(flag.defaultValue.map(flag.choices.contains) == true, "\(flag.name)")
        }
    }

    @Test("A long text is broken at its spaces, and a long name has a line of its own")
    func layout() {
        #expect(HelpTextLayout.lines(of: "one two three", width: 7) == ["one two", "three"])
        #expect(HelpTextLayout.lines(of: "incomprehensible to a", width: 6) == ["incomprehensible", "to a"])
        #expect(HelpTextLayout.lines(of: "a \(HelpTextLayout.unbroken("b c")) d", width: 4) == ["a", "b c", "d"])
        #expect(HelpTextLayout.entry("name", "text", column: 8) == "  name  text\n")
        #expect(HelpTextLayout.entry("long name", "text", column: 8) == "  long name\n        text\n")
    }
}
