import Store

/// The flags of backups.
extension CommandLineFlag {
    static let backupDirectory = CommandLineFlag(
        "backup-directory", "DIR", unset: "backups in the data directory", about: "The folder for backups")
    static let backupIntervalHours = CommandLineFlag(
        "backup-interval-hours", "N", default: "0", about: "The time between backups; 0 makes none")
    static let maxBackups = CommandLineFlag(
        "max-backups", "N", default: "\(BackupSettings().keepMax)",
        about: "The maximum number of backups; the oldest ones are deleted")
    static let backupRowLog = CommandLineFlag(
        "backup-row-log", "true|false", default: "false",
        about: "Log changed rows beside the backups, to restore any second")
    static let backupBeforeUpgrade = CommandLineFlag(
        "backup-before-upgrade", "true|false", default: "true",
        about: "Copy the database before a new version changes its schema")
}

extension CommandLineFlagGroup {
    static let backups = CommandLineFlagGroup(
        "Backups", [.backupDirectory, .backupIntervalHours, .maxBackups, .backupRowLog, .backupBeforeUpgrade])
}
