/// A setting: on the command line as `--name VALUE`, in the environment as `LECTERN_NAME`.
struct Flag: Sendable {
    let name: String
    /// What its value is called; empty for a switch, which takes none.
    let value: String
    let about: String
    let fallback: String?
    /// Whether it may be given more than once; its variable has all values, with spaces between them.
    var isRepeated = false

    /// The environment variable of the same name.
    var variable: String { "LECTERN_" + name.uppercased().replacing("-", with: "_") }

    static let listen = Flag(
        name: "listen", value: "HOST:PORT", about: "where to listen; :PORT is every IPv4 address",
        fallback: "127.0.0.1:8080")
    static let data = Flag(name: "data", value: "DIR", about: "the data directory", fallback: "./lectern-data")
    static let adminTokenFile = Flag(
        name: "admin-token-file", value: "FILE", about: "what the administrator's token is at the first start",
        fallback: nil)
    static let loops = Flag(name: "loops", value: "N", about: "event loops; 0 is one per core", fallback: "0")
    static let logLevel = Flag(
        name: "log-level", value: "LEVEL", about: "error, warning, info or debug", fallback: "info")
    static let logFormat = Flag(
        name: "log-format", value: "FORMAT", about: "text, or json: an object a line", fallback: "text")
    static let logRequests = Flag(
        name: "log-requests", value: "BOOL", about: "whether each request is a line of the log: true or false",
        fallback: "false")
    static let metricsListen = Flag(
        name: "metrics-listen", value: "HOST:PORT",
        about: "where anyone gets metrics without a token; not on an address that strangers reach", fallback: nil)
    static let readyDisk = Flag(
        name: "ready-disk", value: "MEBIBYTES", about: "with less room on the disk /readyz is 503", fallback: "64")
    static let readyBackup = Flag(
        name: "ready-backup", value: "HOURS", about: "with an older last good backup /readyz is 503; 0 is never",
        fallback: "0")
    static let settings = Flag(
        name: "settings", value: "FILE", about: "lines NAME=VALUE, as variables; read again at SIGHUP", fallback: nil)
    static let retentionCount = Flag(
        name: "retention-count", value: "N", about: "changes that the log keeps", fallback: "1000000")
    static let retentionDays = Flag(
        name: "retention-days", value: "N", about: "days that the log keeps a change", fallback: "30")
    static let connections = Flag(
        name: "connections", value: "N", about: "connections; fewer where descriptors are", fallback: "32768")
    static let watchesPerToken = Flag(
        name: "watches-per-token", value: "N", about: "streams and waiting polls of a token; 0 is half the connections",
        fallback: "0")
    static let watchesPerReader = Flag(
        name: "watches-per-reader", value: "N",
        about: "streams and waiting polls of a reader; 0 is half the connections", fallback: "0")
    static let readMilliseconds = Flag(
        name: "read-milliseconds", value: "N", about: "how long a read may take; 0 is for ever", fallback: "250")
    static let openCatalogue = Flag(
        name: "open-catalogue", value: "BOOL", about: "let every reader change every book: true or false",
        fallback: "false")
    static let allowOrigin = Flag(
        name: "allow-origin", value: "URL",
        about: "an origin whose pages may read answers, as https://example.org; may be given again", fallback: nil,
        isRepeated: true)
    static let forwardedField = Flag(
        name: "forwarded-field", value: "NAME",
        about: "where proxies say whose request it is: X-Forwarded-For, Forwarded, …", fallback: nil)
    static let trustedProxy = Flag(
        name: "trusted-proxy", value: "RANGE",
        about: "an address, or a range as 10.0.0.0/8, of proxies that are believed; may be given again", fallback: nil,
        isRepeated: true)
    static let publicURL = Flag(
        name: "public-url", value: "URL",
        about: "where browsers find the service, as https://books.example.org: what links are made of", fallback: nil)
    static let registration = Flag(
        name: "registration", value: "MODE", about: "who becomes a reader: closed, invited (by a link) or open",
        fallback: "invited")
    static let registrationsPerHour = Flag(
        name: "registrations-per-hour", value: "N",
        about: "readers who come in within an hour without a link, where all may; 0 is any number", fallback: "100")
    static let passwordMebibytes = Flag(
        name: "password-mebibytes", value: "N", about: "memory that a password's hash takes: 1 to 1024", fallback: "16")
    static let tokenRate = Flag(
        name: "token-rate", value: "N:BURST", about: "requests a second of a token, and at once; 0 is no limit",
        fallback: "1000:5000")
    static let readerRate = Flag(
        name: "reader-rate", value: "N:BURST", about: "requests a second of a reader, with all tokens; 0 is no limit",
        fallback: "2000:10000")
    static let addressRate = Flag(
        name: "address-rate", value: "N:BURST",
        about: "requests a second of an address that says nobody's token; 0 is no limit", fallback: "100:1000")
    static let server = Flag(
        name: "server", value: "URL", about: "a server to speak to, instead of a data directory", fallback: nil)
    static let token = Flag(name: "token", value: "T", about: "the token for --server", fallback: nil)
    static let name = Flag(name: "name", value: "N", about: "what the token is called", fallback: nil)
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
    static let yes = Flag(name: "yes", value: "", about: "do what cannot be undone", fallback: nil)

    /// How a command reaches the service.
    static let ofClients = [data, server, token]
    /// All that any command takes, each once.
    static let all: [Flag] = Command.all.flatMap(\.flags).reduce(into: []) { known, flag in
        if !known.contains(where: { $0.name == flag.name }) { known.append(flag) }
    }
}
