/// The flags of backups.
extension CommandLineFlag {
    static let backupDirectory = CommandLineFlag(
        "backup-directory", "DIR", unset: "backups in the data directory", about: "The folder for backups")
    static let backupIntervalHours = CommandLineFlag(
        "backup-interval-hours", "N", default: "0", about: "The time between backups; 0 makes none")
    static let maxBackups = CommandLineFlag(
        "max-backups", "N", default: "7", about: "The maximum number of backups; the oldest ones are deleted")
    static let backupCommand = CommandLineFlag(
        "backup-command", "COMMAND", about: "A shell command that is run for each backup, with the file as its input")
    static let backupCommandTimeoutMinutes = CommandLineFlag(
        "backup-command-timeout-minutes", "N", default: "60", about: "The timeout of the command")
    static let backupBeforeUpgrade = CommandLineFlag(
        "backup-before-upgrade", "true|false", default: "true",
        about: "Copy the database before a new version changes its schema")
}

extension CommandLineFlagGroup {
    static let backups = CommandLineFlagGroup(
        "Backups",
        [
            .backupDirectory, .backupIntervalHours, .maxBackups, .backupCommand, .backupCommandTimeoutMinutes,
            .backupBeforeUpgrade,
        ])
}
