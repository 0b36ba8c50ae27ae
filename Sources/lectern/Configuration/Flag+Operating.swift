/// The flags of logs, metrics, readiness and covers.
extension Flag {
    static let logLevel = Flag(
        name: "log-level", value: "LEVEL", about: "error, warning, info or debug", fallback: "info")
    static let logFormat = Flag(
        name: "log-format", value: "FORMAT", about: "text or json", fallback: "text")
    static let logRequests = Flag(
        name: "log-requests", value: "BOOL", about: "log each request: true or false",
        fallback: "false")
    static let metricsListen = Flag(
        name: "metrics-listen", value: "HOST:PORT",
        about: "serve metrics here without a token; use a private address", fallback: nil)
    static let readyDisk = Flag(
        name: "ready-disk", value: "MEBIBYTES", about: "with less free disk space /readyz returns 503", fallback: "64")
    static let readyWAL = Flag(
        name: "ready-wal", value: "MEBIBYTES",
        about: "when a read holds more of the write-ahead log /readyz returns 503", fallback: "256")
    static let readyBackup = Flag(
        name: "ready-backup", value: "HOURS",
        about: "when the last good backup is older /readyz returns 503; 0 is never",
        fallback: "0")

    static let coverMebibytes = Flag(
        name: "cover-mebibytes", value: "N",
        about: "size of the cover cache; 0 fetches no covers from other servers", fallback: "256")
    static let coverLoopback = Flag(
        name: "cover-loopback", value: "BOOL", about: "also fetch covers from this machine: for tests",
        fallback: "false")

    static let ofOperating = [
        logLevel, logFormat, logRequests, metricsListen, readyDisk, readyWAL, readyBackup, coverMebibytes,
        coverLoopback,
    ]
}
