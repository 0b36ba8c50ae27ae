import Store

extension CommandLineArguments {
    /// Returns the settings of backups. Throws `CommandError.misused`.
    func backups() throws(CommandError) -> BackupSettings {
        var settings = BackupSettings()
        settings.directory = self[.backupDirectory]
        settings.hours = min(try number(.backupIntervalHours), 24 * 366)
        settings.keepMax = try number(.maxBackups, 1...Int.max)
        settings.precedeUpgrades = try bool(.backupBeforeUpgrade)
        return settings
    }
}
