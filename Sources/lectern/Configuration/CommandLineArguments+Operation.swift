import API
import Store

/// The settings of `serve` for its operator.
extension CommandLineArguments {
    func readiness() throws(CommandError) -> Readiness.Bounds {
        var bounds = Readiness.Bounds()
        bounds.diskBytesFreeMin = try bytes(.readyMinDiskMiB)
        bounds.walBytesMax = try bytes(.readyMaxWALMiB)
        bounds.backupHoursMax = try number(.readyMaxBackupAgeHours)
        return bounds
    }

    /// Returns a flag's number of mebibytes in bytes.
    private func bytes(_ flag: CommandLineFlag) throws(CommandError) -> Int {
        let (bytes, overflow) = try number(flag).multipliedReportingOverflow(by: 1 << 20)
        return overflow ? .max : bytes
    }

    /// Sets the settings that can change while the service runs.
    func setReloadable(in configuration: inout Service.Configuration) throws(CommandError) {
        guard let level = ServerLogLevel(name: self[.logLevel] ?? "") else { throw unknownChoice(.logLevel) }
        configuration.logLevel = level
        configuration.logsRequests = try bool(.logRequests)
        configuration.origins = try origins(.allowOrigin)
        configuration.rates = try rates()
    }

    /// Variables that look like settings but are unknown, mostly because they are misspelt.
    var unknownVariables: [String] {
        let known = Set(CommandLineFlag.all.map(\.variable))
        return environment.keys.filter { $0.hasPrefix("LECTERN_") && !known.contains($0) }.sorted()
    }

    /// Returns the settings of backups. Throws `CommandError.misused`.
    func backups() throws(CommandError) -> BackupSettings {
        var settings = BackupSettings()
        settings.directory = self[.backupDirectory]
        settings.hours = min(try number(.backupIntervalHours), 24 * 366)
        settings.keepMax = try number(.maxBackups, 1...Int.max)
        settings.logsRows = try bool(.backupRowLog)
        guard !settings.logsRows || settings.hours > 0 else {
            throw .misused("--backup-row-log needs --backup-interval-hours, or the log would grow without end.")
        }
        settings.precedeUpgrades = try bool(.backupBeforeUpgrade)
        return settings
    }
}
