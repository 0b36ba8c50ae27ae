import Bytes

/// A command of the program: its words, flags and help texts. The parser and `help` use it.
struct Subcommand: Sendable {
    let words: [String]
    /// The notation of the operands in usage texts, such as `[FILE]` or `URL…`. Empty if there are none.
    var operands = ""
    /// The end of the error "… needs …" for a command line without operands, or `nil` if there may be none.
    var needs: String?
    /// The summary, which fits a line of `lectern help`.
    let about: String
    /// More sentences for the command's own help.
    var details = ""
    var flags: [CommandLineFlag] { flagGroups.flatMap(\.flags) }
    var flagGroups: [CommandLineFlagGroup] = []
    /// A command line that works, without `lectern`.
    let example: String
    /// The names of the help topics to which the command's help refers.
    var topics: [String] = []
    var run: @Sendable (CommandLineArguments) throws -> Void

    var name: String { words.joined(separator: " ") }

    /// A Boolean value indicating whether this is the command that explains commands and topics.
    var isHelp: Bool { words == ["help"] }

    /// The name with the operands, as in usage texts.
    var usage: String { operands.isEmpty ? name : "\(name) \(operands)" }

    /// The maximum number of operands.
    var operandsMax: Int {
        if operands.isEmpty { return 0 }
        if operands.hasSuffix("…") { return 200 }
        // `help` explains commands of two words.
        return isHelp ? 2 : 1
    }

    /// A copy of this command that prints the command's help instead of running it.
    var explained: Subcommand {
        var command = self
        command.run = { _ in print(HelpScreen(of: self).text, terminator: "") }
        return command
    }

    /// Returns the name of a longer command whose last word the operand resembles, or `nil`.
    func subcommand(like operand: String) -> String? {
        let longer = Self.all.filter { $0.words.count == words.count + 1 && $0.words.starts(with: words) }
        return SimilarNameSearch.nearest(operand, among: longer.compactMap(\.words.last)).map { "\(name) \($0)" }
    }

    /// All commands, in the order of `lectern help`.
    static let all = SubcommandGroup.all.flatMap(\.commands)
}

/// Related commands, with a heading for `lectern help`.
struct SubcommandGroup: Sendable {
    let title: String
    let commands: [Subcommand]

    static let all = [running, accounts, data, maintenance, help]
}
