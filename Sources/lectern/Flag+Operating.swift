/// The flags of logs, metrics, readiness and covers.
extension Flag {
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
    static let readyWAL = Flag(
        name: "ready-wal", value: "MEBIBYTES",
        about: "when more of the write-ahead log is held by a read that does not end /readyz is 503", fallback: "256")
    static let readyBackup = Flag(
        name: "ready-backup", value: "HOURS", about: "with an older last good backup /readyz is 503; 0 is never",
        fallback: "0")

    static let coverMebibytes = Flag(
        name: "cover-mebibytes", value: "N",
        about: "fetched covers that are kept on disk; 0: covers of other servers are not fetched", fallback: "256")
    static let coverLoopback = Flag(
        name: "cover-loopback", value: "BOOL", about: "fetch covers from this machine, too: for tests",
        fallback: "false")

    static let ofOperating = [
        logLevel, logFormat, logRequests, metricsListen, readyDisk, readyWAL, readyBackup, coverMebibytes,
        coverLoopback,
    ]
}
