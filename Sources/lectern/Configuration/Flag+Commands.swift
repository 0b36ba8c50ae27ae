/// The flags of single commands.
extension Flag {
    static let name = Flag("name", "NAME", about: "The token's name (required)")
    static let newName = Flag("name", "NAME", about: "A suggested name for the new reader")
    static let club = Flag("club", "CLUB", about: "The club: an id, or the name of one of your clubs")
    static let tokenReader = Flag(
        "reader", "READER", unset: "the reader who runs the command",
        about: "The reader who uses the token: an id or a name")
    static let passwordReader = Flag(
        "reader", "READER", unset: "none, a new reader",
        about: "Print a link for this reader's new password: an id or a name")
    static let scope = Flag("scope", "read|write", default: "write", about: "The requests that the token allows")
    static let expires = Flag(
        "expires", "DURATION", unset: "never", about: "The token's lifetime, with a unit: 30m, 12h, 90d or 2w")
    static let source = Flag(
        "source", "NAME", unset: "as the header or the file's name says",
        about: "The name of the file's source; with it, the existing books of that source are changed")
    static let dryRun = Flag(switch: "dry-run", about: "Check the file, but import nothing")
    static let account = Flag(
        "account", "READER", unset: "all accounts", about: "Export only this reader's account: an id or a name")
    static let own = Flag(switch: "own", about: "Use the account of the token's reader")
    static let format = Flag(
        "format", "jsonl|csv|markdown", default: "jsonl",
        about: "The format; csv and markdown need --own, and cannot be imported")
    static let replace = Flag(switch: "replace", about: "Overwrite existing rows that differ")
    static let json = Flag(
        switch: "json", about: "Print each event's data as one line, which is always so in a pipe")
    static let after = Flag(
        "after", "CURSOR", unset: "now", about: "Resume after this event id; \"\" is the start of the log")
    static let force = Flag(switch: "force", about: "Overwrite an existing file")
    static let yes = Flag(switch: "yes", about: "Confirm the deletion, which cannot be undone")
    static let keepTokens = Flag(switch: "keep-tokens", about: "Keep the backup's tokens valid")
}
