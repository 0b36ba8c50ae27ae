/// The flags of the data, the addresses and the limits of `serve`.
extension Flag {
    static let listen = Flag(
        name: "listen", value: "HOST:PORT", about: "where to listen; :PORT is every IPv4 address",
        fallback: "127.0.0.1:8080")
    static let demo = Flag(
        name: "demo", value: "", about: "serve an example with data of its own, which is removed at the end",
        fallback: nil)
    static let adminTokenFile = Flag(
        name: "admin-token-file", value: "FILE", about: "what the administrator's token is at the first start",
        fallback: nil)
    static let settings = Flag(
        name: "settings", value: "FILE", about: "lines NAME=VALUE, as variables; read again at SIGHUP", fallback: nil)
    static let loops = Flag(name: "loops", value: "N", about: "event loops; 0 is one per core", fallback: "0")
    static let retentionCount = Flag(
        name: "retention-count", value: "N", about: "changes that the log keeps", fallback: "1000000")
    static let retentionDays = Flag(
        name: "retention-days", value: "N", about: "days that the log keeps a change", fallback: "30")
    static let readMilliseconds = Flag(
        name: "read-milliseconds", value: "N", about: "how long a read may take; 0 is for ever", fallback: "250")
    static let openCatalogue = Flag(
        name: "open-catalogue", value: "BOOL", about: "let every reader change every book: true or false",
        fallback: "false")
    static let connections = Flag(
        name: "connections", value: "N", about: "connections; fewer where descriptors are", fallback: "32768")
    static let watchesPerToken = Flag(
        name: "watches-per-token", value: "N", about: "streams and waiting polls of a token; 0 is half the connections",
        fallback: "0")
    static let watchesPerReader = Flag(
        name: "watches-per-reader", value: "N",
        about: "streams and waiting polls of a reader; 0 is half the connections", fallback: "0")
    static let allowOrigin = Flag(
        name: "allow-origin", value: "URL",
        about: "an origin whose pages may read answers, as https://example.org; may be given again", fallback: nil,
        isRepeated: true)

    static let ofServing = [
        demo, listen, data, adminTokenFile, settings, loops, retentionCount, retentionDays, readMilliseconds,
        openCatalogue,
        connections, watchesPerToken, watchesPerReader, allowOrigin,
    ]
}
