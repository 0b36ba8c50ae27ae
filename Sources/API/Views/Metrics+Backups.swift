import Model
import Store

extension Metrics {
    /// Adds the metrics of database backups.
    static func addBackups(of service: ServiceState, to text: inout MetricsText) {
        let backups = service.store.backups
        text.gauge(
            "lectern_backup_last_success_timestamp_seconds", "When the last good backup was made; 0 without one.",
            Int((backups.lastGood?.milliseconds ?? 0) / 1000))
        text.counter("lectern_backups_total", "Backups that were made and verified.", backups.counts.good)
        text.counter("lectern_backups_failed_total", "Backups that failed.", backups.counts.failed)
        text.counter(
            "lectern_backup_command_timeouts_total", "Runs of --backup-command that took too long and were killed.",
            backups.lateCommands)
    }
}
