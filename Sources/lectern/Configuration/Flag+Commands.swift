/// The flags of single commands.
extension Flag {
    static let name = Flag(name: "name", value: "N", about: "the token's name", defaultValue: nil)
    static let newName = Flag(
        name: "name", value: "N", about: "a suggested name for the new reader", defaultValue: nil)
    static let club = Flag(
        name: "club", value: "C", about: "one of your clubs, by id or name", defaultValue: nil)
    static let reader = Flag(name: "reader", value: "R", about: "the reader: an id or a name", defaultValue: nil)
    static let scope = Flag(name: "scope", value: "SCOPE", about: "read or write", defaultValue: "write")
    static let expires = Flag(
        name: "expires", value: "TIME", about: "lifetime: 90d, 12h, 30m or 2w", defaultValue: nil)
    static let source = Flag(
        name: "source", value: "NAME", about: "the source, whose books may be changed",
        defaultValue: nil)
    static let dryRun = Flag(name: "dry-run", value: "", about: "check the file, but import nothing", defaultValue: nil)
    static let account = Flag(
        name: "account", value: "R", about: "only this reader's account: an id or a name", defaultValue: nil)
    static let own = Flag(name: "own", value: "", about: "the account of the token's reader", defaultValue: nil)
    static let format = Flag(
        name: "format", value: "FORMAT", about: "or, with --own, csv or markdown",
        defaultValue: "jsonl")
    static let replace = Flag(
        name: "replace", value: "", about: "overwrite existing rows that differ", defaultValue: nil)
    static let json = Flag(
        name: "json", value: "", about: "print each event's data as a line, as in a pipe", defaultValue: nil)
    static let after = Flag(
        name: "after", value: "CURSOR", about: "resume after this event id; \"\" is the start", defaultValue: nil
    )
    static let force = Flag(name: "force", value: "", about: "overwrite an existing file", defaultValue: nil)
    static let yes = Flag(name: "yes", value: "", about: "confirm what cannot be undone", defaultValue: nil)
    static let keepTokens = Flag(
        name: "keep-tokens", value: "", about: "keep the backup's tokens valid", defaultValue: nil)
}
