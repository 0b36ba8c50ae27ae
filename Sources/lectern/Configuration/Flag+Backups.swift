/// The flags of backups.
extension Flag {
    static let backupDirectory = Flag(
        name: "backup-directory", value: "DIR", about: "the folder for backups, if not DATA/backups",
        defaultValue: nil)
    static let backupHours = Flag(
        name: "backup-hours", value: "N", about: "hours between backups; 0 makes none", defaultValue: "0")
    static let backupKeep = Flag(
        name: "backup-keep", value: "N", about: "number of backups to keep, at least 1", defaultValue: "7")
    static let backupCommand = Flag(
        name: "backup-command", value: "COMMAND", about: "shell command that gets each backup as input",
        defaultValue: nil)
    static let backupCommandMinutes = Flag(
        name: "backup-command-minutes", value: "N", about: "time limit of the command", defaultValue: "60")
    static let backupBeforeUpgrade = Flag(
        name: "backup-before-upgrade", value: "BOOL", about: "copy the database before upgrade",
        defaultValue: "true")

    static let ofBackups = [
        backupDirectory, backupHours, backupKeep, backupCommand, backupCommandMinutes, backupBeforeUpgrade,
    ]
}
