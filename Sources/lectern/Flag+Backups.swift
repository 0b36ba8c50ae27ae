/// The flags of backups.
extension Flag {
    static let backupDirectory = Flag(
        name: "backup-directory", value: "DIR", about: "where backups go; else backups in the data directory",
        fallback: nil)
    static let backupHours = Flag(
        name: "backup-hours", value: "N", about: "make a backup every so many hours; 0 is none", fallback: "0")
    static let backupKeep = Flag(
        name: "backup-keep", value: "N", about: "backups that are kept, at least 1", fallback: "7")
    static let backupCommand = Flag(
        name: "backup-command", value: "COMMAND", about: "what the shell runs for each, with the file as its input",
        fallback: nil)
    static let backupCommandMinutes = Flag(
        name: "backup-command-minutes", value: "N", about: "minutes after which the command is killed", fallback: "60")
    static let backupBeforeUpgrade = Flag(
        name: "backup-before-upgrade", value: "BOOL", about: "copy the database before its schema changes",
        fallback: "true")

    static let ofBackups = [
        backupDirectory, backupHours, backupKeep, backupCommand, backupCommandMinutes, backupBeforeUpgrade,
    ]
}
