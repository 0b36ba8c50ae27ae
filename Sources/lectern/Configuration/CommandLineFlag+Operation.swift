import API

/// The flags of the server's log, metrics and readiness.
extension CommandLineFlag {
    static let logLevel = CommandLineFlag(
        "log-level", "error|warning|info|debug", default: "info", isReloadable: true,
        about: "The lowest level that is logged")
    static let logFormat = CommandLineFlag("log-format", "text|json", default: "text", about: "The format of log lines")
    static let logRequests = CommandLineFlag(
        "log-requests", "true|false", default: "false", isReloadable: true, about: "Log each request")
    static let metricsListen = CommandLineFlag(
        "metrics-listen", "HOST:PORT", about: "Also serve /metrics here, without a token; use a private address")
    static let readyMinDiskMiB = CommandLineFlag(
        "ready-min-disk-mib", "N", default: "\(Readiness.Bounds().diskBytesFreeMin >> 20)",
        about: "The minimum free disk space; with less, /readyz returns 503")
    static let readyMaxWALMiB = CommandLineFlag(
        "ready-max-wal-mib", "N", default: "\(Readiness.Bounds().walBytesMax >> 20)",
        about: "The maximum size of the write-ahead log that a read holds; with more, /readyz returns 503")
    static let readyMaxBackupAgeHours = CommandLineFlag(
        "ready-max-backup-age-hours", "N", default: "0",
        about: "The maximum age of the last good backup; after that, /readyz returns 503; 0 is no limit")
}

extension CommandLineFlagGroup {
    static let logging = CommandLineFlagGroup("Logging", [.logLevel, .logFormat, .logRequests])
    static let health = CommandLineFlagGroup(
        "Health and metrics", [.metricsListen, .readyMinDiskMiB, .readyMaxWALMiB, .readyMaxBackupAgeHours])
}
