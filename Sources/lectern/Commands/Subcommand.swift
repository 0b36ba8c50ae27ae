import Bytes

/// A command of the program: its words, purpose and flags.
struct Subcommand: Sendable {
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
        Subcommand(
            words: ["serve"], operands: "",
            about: "Serve a data directory over HTTP. The default command.",
            flags: Flag.ofServing + Flag.ofOperating + Flag.ofForwarding + Flag.ofAccounts + Flag.ofProvider
                + Flag.ofRates + Flag.ofBackups, run: serve),
        Subcommand(
            words: ["token", "create"], operands: "", about: "Create a token and print it to standard output.",
            flags: [.name, .reader, .scope, .expires] + Flag.ofClients, run: createToken),
        Subcommand(
            words: ["token", "list"], operands: "", about: "List the tokens.", flags: Flag.ofClients, run: listTokens),
        Subcommand(
            words: ["token", "revoke"], operands: "ID",
            about: "Revoke a token: its requests fail, its streams end.",
            flags: Flag.ofClients, run: revokeToken),
        Subcommand(
            words: ["invite"], operands: "",
            about:
                "Print an invitation link, or with --reader a password link.",
            flags: [.club, .newName, .reader] + Flag.ofClients, run: invite),
        Subcommand(
            words: ["admin", "recover"], operands: "[READER]",
            about: "Print a new administrator's token. READER becomes one.",
            flags: [.data], run: recover),
        Subcommand(
            words: ["reader", "delete"], operands: "READER",
            about: "Delete a reader, and wait until all data is erased.",
            flags: [.yes] + Flag.ofClients, run: deleteReader),
        Subcommand(
            words: ["import", "books"], operands: "FILE.csv",
            about: "Import books from a CSV file. A second run changes nothing.",
            flags: [.source, .dryRun] + Flag.ofClients,
            run: importBooks),
        Subcommand(
            words: ["export"], operands: "[FILE]",
            about: "Write all data, or one account, to a file or standard output.",
            flags: [.account, .own, .format, .force] + Flag.ofClients, run: export),
        Subcommand(
            words: ["import"], operands: "FILE",
            about: "Import a `lectern export`. A second run changes nothing.",
            flags: [.own, .replace] + Flag.ofClients, run: importLines),
        Subcommand(
            words: ["watch"], operands: "URL…",
            about: "Print changes as they happen. Exit code 3: ended by the server.",
            flags: [.json, .after] + Flag.ofClients, run: watch),
        Subcommand(
            words: ["check"], operands: "", about: "Check the database of a data directory for damage.", flags: [.data],
            run: check),
        Subcommand(
            words: ["backup"], operands: "FILE",
            about: "Copy the database, also while it is served. - is stdout.",
            flags: Flag.ofClients, run: backUp),
        Subcommand(
            words: ["restore"], operands: "FILE",
            about: "Create a data directory from a backup. - is stdin.",
            flags: [.keepTokens, .data], run: restore),
        Subcommand(
            words: ["compact"], operands: "",
            about: "Shrink the database file. Stop the server first.", flags: [.data],
            run: compact),
        Subcommand(
            words: ["health"], operands: "",
            about: "Check whether the server is alive. Exit code 1: it is not.", flags: [.data],
            run: health),
        Subcommand(
            words: ["version"], operands: "", about: "Print the versions of the program, its schema and SQLite.",
            flags: [],
            run: version),
        help,
    ]

    /// The command that prints the others.
    static let help = Subcommand(
        words: ["help"], operands: "[COMMAND|TOPIC]",
        about: "List the commands and settings, or explain a command or topic.", flags: [], run: lectern.help)
}
