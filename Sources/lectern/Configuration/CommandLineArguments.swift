import Bytes
import HTTPServer

/// The words and flags of a command line, checked against a command's table.
struct CommandLineArguments {
    let command: Subcommand
    let operands: [String]
    private let values: [String: String]
    let environment: [String: String]
    /// The settings from the settings file, by their variables.
    private var file: [String: (text: String, place: String)] = [:]

    /// Returns the words after the program's name. Throws `CommandError.misused` if there is no argument vector, which
    /// the system provides through /proc: the program must not guess a command then.
    static func words(of vector: [String]) throws(CommandError) -> [String] {
        guard !vector.isEmpty else {
            throw .misused("Nothing was done: /proc/self/cmdline, which has the arguments, cannot be read.")
        }
        return Array(vector.dropFirst())
    }

    /// Finds the command and reads its flags. Throws `CommandError.misused`.
    init(_ words: [String], environment: [String: String], commands: [Subcommand] = Subcommand.all) throws(CommandError)
    {
        let words = Self.completed(words, commands)
        let matches = commands.filter { words.starts(with: $0.words) }
        guard let command = matches.max(by: { $0.words.count < $1.words.count }) else {
            throw .misused(SpellingHint.unknownCommand(words, commands))
        }
        self.environment = environment
        let rest = Array(words.dropFirst(command.words.count))
        guard let read = try Self.read(rest, command, commands) else {
            // Requested help goes to standard output, and needs no settings.
            self.command = command.explained
            (values, operands) = ([:], [])
            return
        }
        self.command = command
        (values, operands) = read
        if operands.isEmpty, let needs = command.needs { throw .misused("\(command.name) needs \(needs)") }
        try readSettings()
    }

    /// Adds the command if it is left out: `serve`, or `help` for `--help` and for the first word of several commands.
    private static func completed(_ words: [String], _ commands: [Subcommand]) -> [String] {
        guard let first = words.first else { return ["serve"] }
        if isHelp(first) { return ["help"] + words.dropFirst() }
        if first.hasPrefix("-") { return ["serve"] + words }
        let asksHelp = words.count == 2 && isHelp(words[1])
        let isPart = commands.contains { $0.words.first == first } && !commands.contains { $0.words == [first] }
        return asksHelp && isPart ? ["help", first] : words
    }

    private static func isHelp(_ word: String) -> Bool { word == "--help" || word == "-h" }

    /// The value of a flag: from the command line, its variable, the settings file, or its default.
    subscript(_ flag: CommandLineFlag) -> String? {
        values[flag.name] ?? environment[flag.variable] ?? file[flag.variable]?.text ?? flag.defaultValue
    }

    /// Returns the place of a flag's value, for messages: the flag, its variable, or the line of the settings file.
    func place(of flag: CommandLineFlag) -> String {
        if isOnCommandLine(flag) { return "--\(flag.name)" }
        if environment[flag.variable] != nil { return flag.variable }
        return file[flag.variable]?.place ?? "--\(flag.name)"
    }

    /// The data directory.
    var directory: String { self[.data] ?? "" }
    /// The socket of a server on the data directory.
    var socketPath: String { directory + "/lectern.sock" }

    /// Returns whether a switch is on: on the command line, or by its variable, which is true, false or empty. Throws
    /// `CommandError.misused`.
    func isOn(_ flag: CommandLineFlag) throws(CommandError) -> Bool {
        if isOnCommandLine(flag) { return true }
        guard let text = self[flag], !text.isEmpty else { return false }
        guard let isOn = Bool(text) else {
            throw .misused("\(place(of: flag)) must be true or false, not \"\(text)\".")
        }
        return isOn
    }

    /// Returns whether the command line contains the flag, and not only the environment or the file.
    func isOnCommandLine(_ flag: CommandLineFlag) -> Bool { values[flag.name] != nil }

    /// Reads the settings file, if one is named. Call it again when the file may have changed.
    mutating func readSettings() throws(CommandError) {
        guard command.flags.contains(where: { $0.name == CommandLineFlag.settings.name }),
            let path = values[CommandLineFlag.settings.name] ?? environment[CommandLineFlag.settings.variable]
        else { return }
        file = try SettingsFile(path: path).values
    }

    /// Returns the flag's value as a whole number that is not negative. Throws `CommandError.misused`.
    func number(_ flag: CommandLineFlag, _ range: ClosedRange<Int> = 0...Int.max) throws(CommandError) -> Int {
        let text = self[flag] ?? ""
        guard let number = Int(text), number >= 0 else {
            throw .misused("\(place(of: flag)) must be a whole number, not \"\(text)\".")
        }
        guard range.contains(number) else {
            let bounds =
                range.upperBound == .max
                ? "at least \(range.lowerBound)" : "from \(range.lowerBound) to \(range.upperBound)"
            throw .misused("\(place(of: flag)) must be \(bounds), not \(number).")
        }
        return number
    }

    /// Returns the flag's value as an address: `HOST:PORT`, `[V6]:PORT` or `:PORT`. Throws `CommandError.misused`.
    func address(_ flag: CommandLineFlag) throws(CommandError) -> (host: String, port: UInt16) {
        let text = self[flag] ?? ""
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            throw .misused("\(place(of: flag)) must be HOST:PORT, not \"\(text)\".")
        }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        return (host.isEmpty ? "0.0.0.0" : String(host), port)
    }

    /// Returns the flag's value as a Boolean. Throws `CommandError.misused`.
    func bool(_ flag: CommandLineFlag) throws(CommandError) -> Bool {
        guard let value = Bool(self[flag] ?? "") else { throw unknownChoice(flag) }
        return value
    }

    /// Returns the flag's value as one of its choices. Throws `CommandError.misused`.
    func choice<Value: RawRepresentable<String>>(_ flag: CommandLineFlag) throws(CommandError) -> Value {
        guard let value = Value(rawValue: self[flag] ?? "") else { throw unknownChoice(flag) }
        return value
    }

    /// Returns the error for a value that is none of the flag's choices.
    func unknownChoice(_ flag: CommandLineFlag) -> CommandError {
        let choices = SpellingHint.list(flag.choices)
        return CommandError.misused("\(place(of: flag)) must be \(choices), not \"\(self[flag] ?? "")\".")
    }

    /// Returns the flag's origins. Throws `CommandError.misused`.
    func origins(_ flag: CommandLineFlag) throws(CommandError) -> [WebOrigin] { try values(of: flag, WebOrigin.init) }

    /// Returns the values of a flag that may be repeated. Throws `CommandError.misused`.
    func values<Value>(
        of flag: CommandLineFlag, _ parse: (String) throws(InvalidText) -> Value
    ) throws(CommandError) -> [Value] {
        var values: [Value] = []
        for text in (self[flag] ?? "").split(separator: " ") {
            do throws(InvalidText) {
                values.append(try parse(String(text)))
            } catch {
                throw .misused("\(place(of: flag)) cannot be \"\(text)\": \(error.reason).")
            }
        }
        return values
    }

    /// Returns flags and operands, or `nil` if the words ask for help.
    private static func read(
        _ words: [String], _ command: Subcommand, _ commands: [Subcommand]
    ) throws(CommandError) -> ([String: String], [String])? {
        var values: [String: String] = [:]
        var operands: [String] = []
        var rest = words[...]
        while let word = rest.popFirst() {
            if isHelp(word) { return nil }
            guard word.hasPrefix("-"), word != "-" else {
                guard operands.count < command.operandsMax else {
                    throw .misused(unexpected(word, after: operands, command))
                }
                operands.append(word)
                continue
            }
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(parts[0])
            guard let flag = command.flags.first(where: { "--\($0.name)" == name }) else {
                throw .misused(SpellingHint.unknownFlag(name, of: command, commands))
            }
            if flag.isSwitch {
                guard parts.count == 1 else { throw .misused("\(name) takes no value.") }
                values[flag.name] = "yes"
                continue
            }
            guard let value = parts.count > 1 ? String(parts[1]) : rest.popFirst() else {
                throw .misused("\(name) needs a value: \(flag.usage).")
            }
            let earlier = flag.isRepeated ? values[flag.name].map { $0 + " " } : nil
            values[flag.name] = (earlier ?? "") + value
        }
        return (values, operands)
    }

    /// Returns the error text for an operand too many.
    private static func unexpected(_ word: String, after operands: [String], _ command: Subcommand) -> String {
        let taken = command.operands.isEmpty ? "no operands" : "only \(command.operands)"
        let hint = operands.first.flatMap(command.subcommand).map { "Did you mean `lectern \($0)`?" }
        return "`lectern \(command.name)` takes \(taken): \"\(word)\" is too much. "
            + (hint ?? "See `lectern \(command.name) --help`.")
    }
}
