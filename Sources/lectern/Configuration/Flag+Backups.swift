/// The flags of backups.
extension Flag {
    static let backupDirectory = Flag(
        "backup-directory", "DIR", unset: "backups in the data directory", about: "The folder for backups")
    static let backupIntervalHours = Flag(
        "backup-interval-hours", "N", default: "0", about: "The time between backups; 0 makes none")
    static let maxBackups = Flag(
        "max-backups", "N", default: "7", about: "The maximum number of backups; the oldest ones are deleted")
    static let backupCommand = Flag(
        "backup-command", "COMMAND", about: "A shell command that is run for each backup, with the file as its input")
    static let backupCommandTimeoutMinutes = Flag(
        "backup-command-timeout-minutes", "N", default: "60", about: "The timeout of the command")
    static let backupBeforeUpgrade = Flag(
        "backup-before-upgrade", "true|false", default: "true",
        about: "Copy the database before a new version changes its schema")
}

extension FlagGroup {
    static let backups = FlagGroup(
        "Backups",
        [
            .backupDirectory, .backupIntervalHours, .maxBackups, .backupCommand, .backupCommandTimeoutMinutes,
            .backupBeforeUpgrade,
        ])
}
