import Measures
import Model
import ObservableModels
import Store

/// The metrics of the service, in Prometheus' text format.
enum ServiceMetrics {
    /// Returns the metrics of all loops, of the store, and of the process.
    static func text(of service: SharedServiceState) -> [UInt8] {
        var text = PrometheusText()
        addRequests(of: service, to: &text)
        addStreams(of: service, to: &text)
        addAccounts(of: service, to: &text)
        addCovers(of: service, to: &text)
        addStore(service.store, to: &text)
        addTurns(of: service, to: &text)
        addBackups(of: service, to: &text)
        addHealth(of: service, to: &text)
        addProcess(of: service, to: &text)
        return Array(text.lines.utf8)
    }

    private static func addStreams(of service: SharedServiceState, to text: inout PrometheusText) {
        let loops = service.loopCounters.compactMap(\.gauges)
        func sum(_ number: KeyPath<EventLoopCounters.Gauges, Int>) -> Int {
            loops.reduce(0) { $0 + $1[keyPath: number] }
        }
        text.gauge("lectern_streams", "Open event streams.", sum(\.streams))
        text.gauge("lectern_subscriptions", "Subscriptions.", sum(\.models.subscriptions))
        text.gauge(
            "lectern_subscriptions_parked", "Subscriptions that are behind and wait for a replay.",
            sum(\.models.parked))
        text.gauge(
            "lectern_subscription_lag_changes", "Lag of the slowest subscription, in changes.",
            loops.map(\.lag).max() ?? 0)
        text.counter(
            "lectern_events_delivered_total", "Event frames written to sockets.", sum(\.models.deliveredEvents))
        text.counter("lectern_replays_total", "Replays from the change log.", sum(\.models.replays))
        text.counter("lectern_resets_total", "Subscriptions that got a reset event.", sum(\.models.resets))
        text.gauge("lectern_model_cache_bytes", "Cached representations.", sum(\.models.cachedBytes))
    }

    private static func addStore(_ store: Store, to text: inout PrometheusText) {
        let counters = store.counters
        text.counter("lectern_commits_total", "Durable transactions.", counters[.commits])
        text.counter("lectern_commands_total", "Executed commands.", counters[.commands])
        text.counter("lectern_changes_total", "Changes written to the change log.", counters[.changes])
        text.begin("lectern_commit_commands", "histogram", "Commands per commit.")
        text.histogram("lectern_commit_commands", counters.groups[0], bounds: counters.groups.bounds, unit: .one)
        text.begin(
            "lectern_commit_duration_seconds", "histogram",
            "Time of a COMMIT: the write to the write-ahead log, and its fsync.")
        text.histogram(
            "lectern_commit_duration_seconds", counters.commitTimes[0], bounds: counters.commitTimes.bounds,
            unit: .microseconds)
        text.counter(
            "lectern_read_transactions_recovered_total",
            "Read transactions that were open by mistake, and were ended.", counters.recoveredReads)
        text.gauge("lectern_commands_waiting", "Commands that wait for the writer.", store.waitingCommands)
        text.gauge(
            "lectern_wal_frames", "Frames of the write-ahead log that wait for a checkpoint.", counters[.walFrames])
        text.gauge("lectern_wal_bytes", "Size of the write-ahead log's file.", counters[.walBytes])
        text.gauge("lectern_database_bytes", "Size of the database file.", counters[.databaseBytes])
        text.gauge("lectern_disk_free_bytes", "Free space on the data directory's disk.", counters[.diskBytesFree])
        let changes = counters[.lastChange] - counters[.firstChange] + 1
        text.gauge("lectern_log_changes", "Changes in the change log.", max(0, changes))
        text.gauge("lectern_log_head", "Number (seq) of the last change.", counters[.lastChange])
        text.gauge(
            "lectern_erasing", "1 while data of readers who left is being erased, else 0.", counters[.erasing])
        text.gauge("lectern_out_of_space", "1 while the disk is full, else 0.", store.isOutOfSpace ? 1 : 0)
    }

    /// Adds the metrics of database backups.
    static func addBackups(of service: SharedServiceState, to text: inout PrometheusText) {
        let backups = service.store.backups
        text.gauge(
            "lectern_backup_last_success_timestamp_seconds", "Unix time of the last successful backup; 0 without one.",
            Int((backups.lastGood?.milliseconds ?? 0) / 1000))
        text.gauge(
            "lectern_backup_row_log_timestamp_seconds", "Unix time of the last rows in the row log; 0 without a log.",
            Int((backups.rowsUntil?.milliseconds ?? 0) / 1000))
        text.counter("lectern_backups_total", "Successful, verified backups.", backups.counts.good)
        text.counter("lectern_backups_failed_total", "Failed backups.", backups.counts.failed)
    }
}
