/// The flags of single commands.
extension Flag {
    static let name = Flag(name: "name", value: "N", about: "what the token is called", fallback: nil)
    static let newName = Flag(
        name: "name", value: "N", about: "what the new reader is called, unless they choose otherwise", fallback: nil)
    static let club = Flag(
        name: "club", value: "C", about: "into which club: an id, or the name of one that you are in", fallback: nil)
    static let reader = Flag(name: "reader", value: "R", about: "for whom: an id or a name", fallback: nil)
    static let scope = Flag(name: "scope", value: "SCOPE", about: "read or write", fallback: "write")
    static let expires = Flag(
        name: "expires", value: "TIME", about: "when it ends: 90d, 12h, 30m or 2w from now", fallback: nil)
    static let source = Flag(
        name: "source", value: "NAME", about: "whose rows these are; its books may be changed", fallback: nil)
    static let dryRun = Flag(name: "dry-run", value: "", about: "only look, write nothing", fallback: nil)
    static let account = Flag(
        name: "account", value: "R", about: "only the account of this reader: an id or a name", fallback: nil)
    static let own = Flag(name: "own", value: "", about: "your own account: whose token it is", fallback: nil)
    static let format = Flag(
        name: "format", value: "FORMAT", about: "jsonl; with --own also csv or markdown, which nothing brings in",
        fallback: "jsonl")
    static let replace = Flag(
        name: "replace", value: "", about: "write over what is there and says otherwise", fallback: nil)
    static let json = Flag(
        name: "json", value: "", about: "each event's data as a line, as into a pipe; else for people", fallback: nil)
    static let after = Flag(
        name: "after", value: "CURSOR", about: "behind what to go on; \"\" is where the log begins", fallback: nil)
    static let force = Flag(name: "force", value: "", about: "overwrite an existing file", fallback: nil)
    static let yes = Flag(name: "yes", value: "", about: "do what cannot be undone", fallback: nil)
    static let keepTokens = Flag(
        name: "keep-tokens", value: "", about: "let the tokens hold that the backup has", fallback: nil)
}
