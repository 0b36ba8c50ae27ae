/// The flags of logs, metrics, readiness and covers.
extension Flag {
    static let logLevel = Flag(
        name: "log-level", value: "LEVEL", about: "error, warning, info or debug", defaultValue: "info")
    static let logFormat = Flag(
        name: "log-format", value: "FORMAT", about: "text or json", defaultValue: "text")
    static let logRequests = Flag(
        name: "log-requests", value: "BOOL", about: "log each request: true or false",
        defaultValue: "false")
    static let metricsListen = Flag(
        name: "metrics-listen", value: "HOST:PORT",
        about: "metrics without a token, at this address", defaultValue: nil)
    static let readyDisk = Flag(
        name: "ready-disk", value: "MEBIBYTES", about: "not ready with less free disk space", defaultValue: "64")
    static let readyWAL = Flag(
        name: "ready-wal", value: "MEBIBYTES",
        about: "not ready if a read holds more of the log", defaultValue: "256")
    static let readyBackup = Flag(
        name: "ready-backup", value: "HOURS",
        about: "not ready without a newer backup; 0 is off",
        defaultValue: "0")

    static let coverMebibytes = Flag(
        name: "cover-mebibytes", value: "N",
        about: "size of the cover cache; 0 fetches none", defaultValue: "256")
    static let coverLoopback = Flag(
        name: "cover-loopback", value: "BOOL", about: "fetch covers from this machine: tests",
        defaultValue: "false")

    static let ofOperating = [
        logLevel, logFormat, logRequests, metricsListen, readyDisk, readyWAL, readyBackup, coverMebibytes,
        coverLoopback,
    ]
}
