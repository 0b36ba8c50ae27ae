import Bytes

/// A command of the program: its words, purpose and flags.
struct Command: Sendable {
    let words: [String]
    /// The operands after the words, for the help text.
    let operands: String
    /// The maximum number of operands.
    var operandsMax: Int { operands.isEmpty ? 0 : operands.hasSuffix("…") ? 200 : words == ["help"] ? 2 : 1 }
    let about: String
    let flags: [Flag]
    let run: @Sendable (Arguments) throws -> Int32

    var name: String { words.joined(separator: " ") }

    /// Returns the command with one more word that an operand may be a misspelling of, or `nil`.
    func subcommand(like operand: String) -> String? {
        let longer = Self.all.filter { $0.words.count == words.count + 1 && $0.words.starts(with: words) }
        return Spelling.nearest(operand, among: longer.compactMap(\.words.last)).map { "\(name) \($0)" }
    }

    /// All commands. The parser and `help` use this table.
    static let all = [
        Command(
            words: ["serve"], operands: "",
            about: "Serve a data directory over HTTP. This is what `lectern` alone does.",
            flags: Flag.ofServing + Flag.ofOperating + Flag.ofForwarding + Flag.ofAccounts + Flag.ofProvider
                + Flag.ofRates + Flag.ofBackups, run: serve),
        Command(
            words: ["token", "create"], operands: "", about: "Make a token and print it: alone, on standard output.",
            flags: [.name, .reader, .scope, .expires] + Flag.ofClients, run: createToken),
        Command(
            words: ["token", "list"], operands: "", about: "List the tokens.", flags: Flag.ofClients, run: listTokens),
        Command(
            words: ["token", "revoke"], operands: "ID",
            about: "End a token: requests with it are refused, its streams end.",
            flags: Flag.ofClients, run: revokeToken),
        Command(
            words: ["invite"], operands: "",
            about:
                "Print a link by which somebody becomes a reader, also in a club; with --reader, one for a password.",
            flags: [.club, .newName, .reader] + Flag.ofClients, run: invite),
        Command(
            words: ["admin", "recover"], operands: "[READER]",
            about: "Come in again: print a new token of an administrator, whom it makes one, and lifts a suspension.",
            flags: [.data], run: recover),
        Command(
            words: ["reader", "delete"], operands: "READER",
            about: "Let a reader go, by id or name, for good; says when nothing they said is left.",
            flags: [.yes] + Flag.ofClients, run: deleteReader),
        Command(
            words: ["import", "books"], operands: "FILE.csv",
            about: "Bring books in from a CSV file with a header. Running it twice changes nothing.",
            flags: [.source, .dryRun] + Flag.ofClients,
            run: importBooks),
        Command(
            words: ["export"], operands: "[FILE]",
            about: "Write everything, or one reader's account, into a file or to standard output.",
            flags: [.account, .own, .format, .force] + Flag.ofClients, run: export),
        Command(
            words: ["import"], operands: "FILE",
            about: "Bring in what `lectern export` wrote. Running it twice changes nothing.",
            flags: [.own, .replace] + Flag.ofClients, run: importLines),
        Command(
            words: ["watch"], operands: "URL…",
            about: "Say what becomes of what is there. Exit codes: 0 stopped, 3 the server ended it for good.",
            flags: [.json, .after] + Flag.ofClients, run: watch),
        Command(
            words: ["check"], operands: "", about: "Check the database of a data directory for damage.", flags: [.data],
            run: check),
        Command(
            words: ["backup"], operands: "FILE",
            about: "Write a copy of the database into a new file, while it is served, too. - is standard output.",
            flags: Flag.ofClients, run: backUp),
        Command(
            words: ["restore"], operands: "FILE",
            about: "Make a data directory of a backup. Nothing is overwritten; tokens end. - is standard input.",
            flags: [.keepTokens, .data], run: restore),
        Command(
            words: ["compact"], operands: "",
            about: "Give the room back that what was deleted had. Stop the service before.", flags: [.data],
            run: compact),
        Command(
            words: ["health"], operands: "",
            about: "Ask the service of a data directory whether it is alive. Exit code 1: it is not.", flags: [.data],
            run: health),
        Command(
            words: ["version"], operands: "", about: "Say which program, schema and SQLite this is.", flags: [],
            run: version),
        help,
    ]

    /// The command that prints the others.
    static let help = Command(
        words: ["help"], operands: "[COMMAND|TOPIC]",
        about: "Say what there is, what a command takes, or more of a topic.", flags: [], run: lectern.help)
}
