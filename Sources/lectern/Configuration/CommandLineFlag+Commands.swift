/// The flags of single commands.
extension CommandLineFlag {
    static let name = CommandLineFlag("name", "NAME", about: "The token's name (required)")
    static let newName = CommandLineFlag("name", "NAME", about: "A suggested name for the new reader")
    static let club = CommandLineFlag("club", "CLUB", about: "The club: an id, or the name of one of your clubs")
    static let tokenReader = CommandLineFlag(
        "reader", "READER", unset: "the reader who runs the command",
        about: "The reader who uses the token: an id or a name")
    static let passwordReader = CommandLineFlag(
        "reader", "READER", unset: "none, a new reader",
        about: "Print a link for this reader's new password: an id or a name")
    static let scope = CommandLineFlag(
        "scope", "read|write", default: "write", about: "The requests that the token allows")
    static let expires = CommandLineFlag(
        "expires", "DURATION", unset: "never", about: "The token's lifetime, with a unit: 30m, 12h, 90d or 2w")
    static let source = CommandLineFlag(
        "source", "NAME", unset: "by the header, or one that cannot be named",
        about: "The name of the file's source; with it, the existing books of that source are changed")
    static let dryRun = CommandLineFlag(switch: "dry-run", about: "Check the file, but import nothing")
    static let account = CommandLineFlag(
        "account", "READER", unset: "all accounts", about: "Export only this reader's account: an id or a name")
    static let own = CommandLineFlag(switch: "own", about: "Use the account of the token's reader")
    static let format = CommandLineFlag(
        "format", "jsonl|csv|markdown", default: "jsonl",
        about: "The format; csv and markdown need --own, and cannot be imported")
    static let replace = CommandLineFlag(switch: "replace", about: "Overwrite existing rows that differ")
    static let json = CommandLineFlag(
        switch: "json", about: "Print each event's data as one line, which is always so in a pipe")
    static let after = CommandLineFlag(
        "after", "CURSOR", unset: "now",
        about: "Resume after this event id; of /v1/changes alone \"\" is the start of the log")
    static let force = CommandLineFlag(switch: "force", about: "Overwrite an existing file, but no link or device")
    static let yes = CommandLineFlag(switch: "yes", about: "Confirm the deletion, which cannot be undone")
    static let until = CommandLineFlag(
        "until", "TIME", unset: "all rows of the log", about: "Replay the row log beside the backup up to this time")
    static let keepTokens = CommandLineFlag(switch: "keep-tokens", about: "Keep the backup's tokens valid")
}

/// The flags by which a command finds the server or the data.
extension CommandLineFlag {
    static let data = CommandLineFlag("data", "DIR", default: "./lectern-data", about: "The data directory")
    static let server = CommandLineFlag("server", "URL", about: "A server's URL, instead of a data directory")
    static let token = CommandLineFlag("token", "TOKEN", about: "The token for --server")
}

extension CommandLineFlagGroup {
    static let client = CommandLineFlagGroup("Server or data directory", [.data, .server, .token])
    static let directory = CommandLineFlagGroup("Data directory", [.data])
}
