import Model
import Store

extension ServiceMetrics {
    /// Adds the metrics of database backups.
    static func addBackups(of service: SharedServiceState, to text: inout PrometheusText) {
        let backups = service.store.backups
        text.gauge(
            "lectern_backup_last_success_timestamp_seconds", "Unix time of the last successful backup; 0 without one.",
            Int((backups.lastGood?.milliseconds ?? 0) / 1000))
        text.counter("lectern_backups_total", "Successful, verified backups.", backups.counts.good)
        text.counter("lectern_backups_failed_total", "Failed backups.", backups.counts.failed)
    }
}
