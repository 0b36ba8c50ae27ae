import Bytes
import HTTPServer

/// The words and flags of a command line, checked against a command's table.
struct Arguments {
    let command: Subcommand
    let operands: [String]
    private let values: [String: String]
    let environment: [String: String]
    /// The settings from the settings file, by their variables.
    private var file: [String: String] = [:]

    /// A usage error, with a message for the caller.
    struct Misuse: Error, Equatable {
        let message: String
    }

    /// Returns the words after the program's name. Throws `Misuse` if there is no argument vector, which the system
    /// provides through /proc: the program must not guess a command then.
    static func words(of vector: [String]) throws(Misuse) -> [String] {
        guard !vector.isEmpty else {
            throw Misuse(message: "Nothing was done: /proc/self/cmdline, which has the arguments, cannot be read.")
        }
        return Array(vector.dropFirst())
    }

    /// Finds the command and reads its flags. Throws `Misuse`.
    init(_ words: [String], environment: [String: String], commands: [Subcommand] = Subcommand.all) throws(Misuse) {
        var words = words
        if words.isEmpty
            || words.first?.hasPrefix("--") == true && words.first != "--help" && words.first != "--version"
        {
            words.insert("serve", at: 0)
        }
        if words.first == "--help" || words.first == "-h" { words[0] = "help" }
        guard let command = commands.first(where: { words.starts(with: $0.words) }) else {
            throw Misuse(
                message:
                    "There is no command \"\(words.prefix(2).joined(separator: " "))\". \(Self.hint(words, commands))")
        }
        self.environment = environment
        let rest = Array(words.dropFirst(command.words.count))
        if let read = try Self.read(rest, command) {
            self.command = command
            (values, operands) = read
        } else {
            // Requested help goes to standard output, like that of `help`.
            self.command = Subcommand.help
            (values, operands) = ([:], command.words)
        }
        try readSettings()
    }

    /// The value of a flag: from the command line, its variable, the settings file, or its default.
    subscript(_ flag: Flag) -> String? {
        values[flag.name] ?? environment[flag.variable] ?? file[flag.variable] ?? flag.defaultValue
    }

    /// Returns whether the command line contains the flag, and not only the environment or the file.
    func isOnCommandLine(_ flag: Flag) -> Bool { values[flag.name] != nil }

    /// Reads the settings file, if one is named. Call it again when the file may have changed.
    mutating func readSettings() throws(Misuse) {
        guard command.flags.contains(where: { $0.name == Flag.settings.name }),
            let path = values[Flag.settings.name] ?? environment[Flag.settings.variable]
        else { return }
        file = try SettingsFile(path: path).values
    }

    /// Returns the flag's value as a whole number that is not negative. Throws `Misuse`.
    func number(_ flag: Flag, _ range: ClosedRange<Int> = 0...Int.max) throws(Misuse) -> Int {
        let text = self[flag] ?? ""
        guard let number = Int(text), number >= 0 else {
            throw Misuse(message: "--\(flag.name) must be a whole number, not \"\(text)\".")
        }
        guard range.contains(number) else {
            throw Misuse(
                message: "--\(flag.name) must be from \(range.lowerBound) to \(range.upperBound), not \(number).")
        }
        return number
    }

    /// Returns the flag's value as a Boolean. Throws `Misuse`.
    func bool(_ flag: Flag) throws(Misuse) -> Bool {
        switch self[flag] {
        case "true": return true
        case "false": return false
        case let text: throw Misuse(message: "--\(flag.name) must be true or false, not \"\(text ?? "")\".")
        }
    }

    /// Returns the flag's origins. Throws `Misuse`.
    func origins(_ flag: Flag) throws(Misuse) -> [Origin] {
        var origins: [Origin] = []
        for text in (self[flag] ?? "").split(separator: " ") {
            do throws(InvalidOrigin) {
                origins.append(try Origin(String(text)))
            } catch {
                throw Misuse(message: "--\(flag.name) cannot be \"\(text)\": \(error.reason).")
            }
        }
        return origins
    }

    /// Returns flags and operands, or `nil` if the words ask for help.
    private static func read(_ words: [String], _ command: Subcommand) throws(Misuse) -> ([String: String], [String])? {
        var values: [String: String] = [:]
        var operands: [String] = []
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--help" || word == "-h" { return nil }
            guard word.hasPrefix("--") else {
                guard operands.count < command.operandsMax else {
                    let taken = command.operands.isEmpty ? "no operand" : command.operands
                    let hint = operands.first.flatMap(command.subcommand).map { "Did you mean lectern \($0)?" }
                    throw Misuse(
                        message: "\(command.name) takes \(taken), not \"\(word)\". \(hint ?? Self.manual(command))")
                }
                operands.append(word)
                continue
            }
            let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(parts.first ?? "")
            guard let flag = command.flags.first(where: { $0.name == name }) else {
                throw Misuse(
                    message:
                        "\(command.name) takes no --\(name). \(nearest(name, command.flags.map(\.name), prefix: "--"))")
            }
            if flag.value.isEmpty {
                guard parts.count == 1 else { throw Misuse(message: "--\(name) takes no value.") }
                values[name] = "yes"
                continue
            }
            guard let value = parts.count > 1 ? String(parts[1]) : rest.popFirst() else {
                throw Misuse(message: "--\(name) needs a value.")
            }
            let earlier = flag.isRepeated ? values[name].map { $0 + " " } : nil
            values[name] = (earlier ?? "") + value
        }
        return (values, operands)
    }

    private static func manual(_ command: Subcommand) -> String { "See `lectern help \(command.name)`." }

    private static func hint(_ words: [String], _ commands: [Subcommand]) -> String {
        nearest(words.prefix(2).joined(separator: " "), commands.map(\.name), prefix: "lectern ")
    }

    /// Returns "Did you mean …?", or a hint to the help.
    static func nearest(_ word: String, _ known: [String], prefix: String) -> String {
        if let best = Spelling.nearest(word, among: known, differencesMax: 3) {
            return "Did you mean \(prefix)\(best)?"
        }
        return "See `lectern help`."
    }
}
