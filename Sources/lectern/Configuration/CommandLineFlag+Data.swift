import API
import Store

/// The flags of the data directory, the log of changes, the catalogue and covers.
extension CommandLineFlag {
    static let demo = CommandLineFlag(switch: "demo", about: "Serve example data, which is removed at the end")
    static let settings = CommandLineFlag(
        "settings", "FILE", about: "A file of lines VARIABLE=VALUE, such as LECTERN_LISTEN=:80; SIGHUP reloads it")
    static let adminTokenFile = CommandLineFlag(
        "admin-token-file", "FILE", unset: "a new token, which is printed",
        about: "The administrator's token for the first start")
    static let retentionChanges = CommandLineFlag(
        "retention-changes", "N", default: "\(StoreConfiguration().retentionCountMax)",
        about: "The maximum number of changes in the log")
    static let retentionDays = CommandLineFlag(
        "retention-days", "N", default: "\(StoreConfiguration().retentionDaysMax)",
        about: "The maximum age of a change in the log")
    static let openCatalogue = CommandLineFlag(
        "open-catalogue", "true|false", default: "false", about: "Allow all readers to change all books")
    static let coverCacheMiB = CommandLineFlag(
        "cover-cache-mib", "N", default: "\(Service.Configuration(directory: "").coverMebibytesMax)",
        about: "The size of the cover cache; with 0, no covers are fetched from other servers")
    static let coverAllowLoopback = CommandLineFlag(
        "cover-allow-loopback", "true|false", default: "false",
        about: "Also fetch covers from this machine (for tests)")
}

extension CommandLineFlagGroup {
    static let data = CommandLineFlagGroup(
        "Data",
        [
            .data, .demo, .settings, .adminTokenFile, .retentionChanges, .retentionDays, .openCatalogue, .coverCacheMiB,
            .coverAllowLoopback,
        ])
}
