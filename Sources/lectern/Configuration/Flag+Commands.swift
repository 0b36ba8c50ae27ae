/// The flags of single commands.
extension Flag {
    static let name = Flag(name: "name", value: "N", about: "the token's name", fallback: nil)
    static let newName = Flag(
        name: "name", value: "N", about: "a suggested name for the new reader", fallback: nil)
    static let club = Flag(
        name: "club", value: "C", about: "one of your clubs, by id or name", fallback: nil)
    static let reader = Flag(name: "reader", value: "R", about: "the reader: an id or a name", fallback: nil)
    static let scope = Flag(name: "scope", value: "SCOPE", about: "read or write", fallback: "write")
    static let expires = Flag(
        name: "expires", value: "TIME", about: "lifetime: 90d, 12h, 30m or 2w", fallback: nil)
    static let source = Flag(
        name: "source", value: "NAME", about: "the source, whose books may be changed",
        fallback: nil)
    static let dryRun = Flag(name: "dry-run", value: "", about: "check the file, but import nothing", fallback: nil)
    static let account = Flag(
        name: "account", value: "R", about: "only this reader's account: an id or a name", fallback: nil)
    static let own = Flag(name: "own", value: "", about: "the account of the token's reader", fallback: nil)
    static let format = Flag(
        name: "format", value: "FORMAT", about: "or, with --own, csv or markdown",
        fallback: "jsonl")
    static let replace = Flag(
        name: "replace", value: "", about: "overwrite existing rows that differ", fallback: nil)
    static let json = Flag(
        name: "json", value: "", about: "print each event's data as a line, as in a pipe", fallback: nil)
    static let after = Flag(
        name: "after", value: "CURSOR", about: "resume after this event id; \"\" is the start", fallback: nil
    )
    static let force = Flag(name: "force", value: "", about: "overwrite an existing file", fallback: nil)
    static let yes = Flag(name: "yes", value: "", about: "confirm what cannot be undone", fallback: nil)
    static let keepTokens = Flag(
        name: "keep-tokens", value: "", about: "keep the backup's tokens valid", fallback: nil)
}
