/// The flags of the data, the addresses and the limits of `serve`.
extension Flag {
    static let listen = Flag(
        name: "listen", value: "HOST:PORT", about: ":PORT is every IPv4 address",
        defaultValue: "127.0.0.1:8080")
    static let demo = Flag(
        name: "demo", value: "", about: "serve example data, which is removed at the end",
        defaultValue: nil)
    static let adminTokenFile = Flag(
        name: "admin-token-file", value: "FILE", about: "the administrator's token for the first start",
        defaultValue: nil)
    static let settings = Flag(
        name: "settings", value: "FILE", about: "lines VARIABLE=VALUE; SIGHUP reloads them", defaultValue: nil)
    static let loops = Flag(name: "loops", value: "N", about: "event loops; 0 is one per core", defaultValue: "0")
    static let retentionCount = Flag(
        name: "retention-count", value: "N", about: "maximum number of changes in the log", defaultValue: "1000000")
    static let retentionDays = Flag(
        name: "retention-days", value: "N", about: "days that a change stays in the log", defaultValue: "30")
    static let readMilliseconds = Flag(
        name: "read-milliseconds", value: "N", about: "time limit of a read; 0 is no limit", defaultValue: "250")
    static let openCatalogue = Flag(
        name: "open-catalogue", value: "BOOL", about: "let all readers change all books",
        defaultValue: "false")
    static let connections = Flag(
        name: "connections", value: "N", about: "maximum; fewer if descriptors are few",
        defaultValue: "32768")
    static let watchesPerToken = Flag(
        name: "watches-per-token", value: "N", about: "streams and polls; 0 is half of all",
        defaultValue: "0")
    static let watchesPerReader = Flag(
        name: "watches-per-reader", value: "N",
        about: "streams and polls; 0 is half of all", defaultValue: "0")
    static let allowOrigin = Flag(
        name: "allow-origin", value: "URL",
        about: "an origin whose pages may read; repeatable", defaultValue: nil,
        isRepeated: true)

    static let ofServing = [
        demo, listen, data, adminTokenFile, settings, loops, retentionCount, retentionDays, readMilliseconds,
        openCatalogue,
        connections, watchesPerToken, watchesPerReader, allowOrigin,
    ]
}
