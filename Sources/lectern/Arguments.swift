/// The words and flags of a call, checked against a command's table.
struct Arguments {
    let command: Command
    let operands: [String]
    private let values: [String: String]
    private let environment: [String: String]

    /// Wrong use: a message for the person who called.
    struct Misuse: Error, Equatable {
        let message: String
    }

    /// Finds the command and reads its flags. Throws `Misuse`.
    init(_ words: [String], environment: [String: String], commands: [Command] = Command.all) throws(Misuse) {
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
        self.command = command
        self.environment = environment
        (values, operands) = try Self.read(Array(words.dropFirst(command.words.count)), command)
    }

    /// The value of a flag, of its variable, or its default.
    subscript(_ flag: Flag) -> String? { values[flag.name] ?? environment[flag.variable] ?? flag.fallback }

    /// A whole number that is not negative.
    func number(_ flag: Flag) throws(Misuse) -> Int {
        let text = self[flag] ?? ""
        guard let number = Int(text), number >= 0 else {
            throw Misuse(message: "--\(flag.name) must be a whole number, not \"\(text)\".")
        }
        return number
    }

    private static func read(_ words: [String], _ command: Command) throws(Misuse) -> ([String: String], [String]) {
        var values: [String: String] = [:]
        var operands: [String] = []
        var rest = words[...]
        while let word = rest.popFirst() {
            guard word.hasPrefix("--") else {
                operands.append(word)
                continue
            }
            let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(parts.first ?? "")
            if name == "help" { throw Misuse(message: helpText(command)) }
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
            values[name] = value
        }
        return (values, operands)
    }

    private static func hint(_ words: [String], _ commands: [Command]) -> String {
        nearest(words.prefix(2).joined(separator: " "), commands.map(\.name), prefix: "lectern ")
    }

    /// "Did you mean …?", or a way to the help.
    private static func nearest(_ word: String, _ known: [String], prefix: String) -> String {
        let best = known.map { ($0, distance(word, $0)) }.min { $0.1 < $1.1 }
        if let best, best.1 <= 3 { return "Did you mean \(prefix)\(best.0)?" }
        return "`lectern help` says what there is."
    }

    /// Levenshtein's distance.
    static func distance(_ left: String, _ right: String) -> Int {
        let right = Array(right)
        var row = Array(0...right.count)
        for (i, a) in left.enumerated() {
            var previous = row[0]
            row[0] = i + 1
            for (j, b) in right.enumerated() {
                let kept = row[j + 1]
                row[j + 1] = min(previous + (a == b ? 0 : 1), row[j] + 1, kept + 1)
                previous = kept
            }
        }
        return row[right.count]
    }
}
