import Measures
import Model
import Store

/// The metrics of the service, in Prometheus' text format.
enum Metrics {
    /// Returns the metrics of all loops, of the store, and of the process.
    static func text(of service: ServiceState) -> [UInt8] {
        var text = MetricsText()
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

    private static func addStreams(of service: ServiceState, to text: inout MetricsText) {
        let loops = service.loopCounters
        func sum(_ number: KeyPath<LoopCounters, LoopCounters.Number>) -> Int {
            loops.reduce(0) { $0 + $1[keyPath: number].current }
        }
        text.gauge("lectern_streams", "Open event streams.", sum(\.streams))
        text.gauge("lectern_subscriptions", "Subscriptions.", sum(\.subscriptions))
        text.gauge("lectern_subscriptions_parked", "Subscribers that are behind and will replay.", sum(\.parked))
        text.gauge(
            "lectern_subscription_lag_changes", "Changes by which the subscriber that is furthest behind is behind.",
            loops.map(\.lag.current).max() ?? 0)
        text.counter("lectern_events_delivered_total", "Event frames given to sockets.", sum(\.deliveredEvents))
        text.counter("lectern_event_bytes_delivered_total", "Bytes of those frames.", sum(\.deliveredBytes))
        text.counter("lectern_replays_total", "Replays from the change log.", sum(\.replays))
        text.counter(
            "lectern_events_folded_total", "Events left out for subscribers that asked for the latest only.",
            sum(\.folded))
        text.counter("lectern_resets_total", "Subscribers that were told to start anew.", sum(\.resets))
        text.gauge("lectern_model_cache_bytes", "Cached representations.", sum(\.cachedBytes))
    }

    private static func addStore(_ store: Store, to text: inout MetricsText) {
        let counters = store.counters
        text.counter("lectern_commits_total", "Transactions that were made durable.", counters.commits)
        text.counter("lectern_commands_total", "Commands that were decided.", counters.commands)
        text.counter("lectern_changes_total", "Changes that were logged.", counters.changes)
        text.begin("lectern_commit_commands", "histogram", "Commands that shared a commit.")
        text.histogram("lectern_commit_commands", counters.groups[0], bounds: counters.groups.bounds, unit: .one)
        text.begin(
            "lectern_commit_duration_seconds", "histogram", "COMMIT: writing the write-ahead log, and its fsync.")
        text.histogram(
            "lectern_commit_duration_seconds", counters.commitTimes[0], bounds: counters.commitTimes.bounds,
            unit: .microseconds)
        text.counter(
            "lectern_read_transactions_recovered_total",
            "Read transactions that were still open where none may be, and were ended.", counters.recoveredReads)
        text.gauge("lectern_commands_waiting", "Commands that wait for the writer.", store.waitingCommands)
        text.gauge("lectern_wal_frames", "Frames that wait for a checkpoint.", counters.walFrames)
        text.gauge("lectern_wal_bytes", "The write-ahead log's file.", counters[.walBytes])
        text.gauge("lectern_database_bytes", "The database's file.", counters[.databaseBytes])
        text.gauge("lectern_disk_free_bytes", "What is left on the data directory's disk.", counters[.diskBytesFree])
        let changes = counters[.lastChange] - counters[.firstChange] + 1
        text.gauge("lectern_log_changes", "Changes that the log keeps.", max(0, changes))
        text.gauge("lectern_log_head", "The number of the log's last change.", counters[.lastChange])
        text.gauge(
            "lectern_search_index_percent", "How much of the search index is there: 100 but after an upgrade.",
            counters.searchPercent)
        text.gauge("lectern_out_of_space", "1 while the disk is full.", store.isOutOfSpace ? 1 : 0)
    }
}
