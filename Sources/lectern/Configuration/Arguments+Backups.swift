import Store

extension Arguments {
    /// Returns the settings of backups. Throws `Misuse`.
    func backups() throws(Misuse) -> BackupSettings {
        var settings = BackupSettings()
        settings.directory = self[.backupDirectory]
        settings.hours = min(try number(.backupHours), 24 * 366)
        settings.keepMax = try number(.backupKeep)
        guard settings.keepMax > 0 else { throw Misuse(message: "--backup-keep must be at least 1.") }
        settings.command = self[.backupCommand]
        settings.commandMillisecondsMax = try number(.backupCommandMinutes, 1...10_080) * 60_000
        settings.precedeUpgrades = try bool(.backupBeforeUpgrade)
        return settings
    }
}
