import Model
import Store

/// What the service has done, in Prometheus' text format.
enum Metrics {
    /// The counters of all loops, and of the store.
    static func text(of service: ServiceState) -> [UInt8] {
        let loops = service.loopCounters
        var text = MetricsText()
        text.counter(
            "lectern_requests_total", "Requests that reached a handler.", loops.reduce(0) { $0 + $1.requests.current })
        text.gauge("lectern_streams", "Open event streams.", loops.reduce(0) { $0 + $1.streams.current })
        text.gauge("lectern_subscriptions", "Subscriptions.", loops.reduce(0) { $0 + $1.subscriptions.current })
        text.gauge(
            "lectern_subscriptions_parked", "Subscribers that are behind and will replay.",
            loops.reduce(0) { $0 + $1.parked.current })
        text.counter(
            "lectern_events_delivered_total", "Event frames given to sockets.",
            loops.reduce(0) { $0 + $1.deliveredEvents.current })
        text.counter(
            "lectern_event_bytes_delivered_total", "Bytes of those frames.",
            loops.reduce(0) { $0 + $1.deliveredBytes.current })
        text.counter(
            "lectern_replays_total", "Replays from the change log.", loops.reduce(0) { $0 + $1.replays.current })
        text.counter(
            "lectern_resets_total", "Subscribers that were told to start anew.",
            loops.reduce(0) { $0 + $1.resets.current })
        text.gauge(
            "lectern_model_cache_bytes", "Cached representations.", loops.reduce(0) { $0 + $1.cachedBytes.current })
        let signIns = service.accounts.counters
        text.counter("lectern_sign_ins_total", "Sign-ins with the right password.", signIns.signIns.current)
        text.counter("lectern_sign_ins_refused_total", "Sign-ins that were refused.", signIns.refused.current)
        text.counter(
            "lectern_sign_ins_slowed_total", "Sign-ins that came too soon after others.", signIns.slowed.current)
        text.counter("lectern_registrations_total", "Readers who registered.", signIns.registrations.current)
        let store = service.store.counters
        text.counter("lectern_commits_total", "Transactions that were made durable.", store.commits)
        text.counter("lectern_commands_total", "Commands that were decided.", store.commands)
        text.counter("lectern_changes_total", "Changes that were logged.", store.changes)
        text.gauge("lectern_commands_waiting", "Commands that wait for the writer.", service.store.waitingCommands)
        text.gauge("lectern_wal_frames", "Frames that wait for a checkpoint.", store.walFrames)
        text.gauge(
            "lectern_search_index_percent", "How much of the search index is there: 100 but after an upgrade.",
            store.searchPercent)
        text.gauge("lectern_out_of_space", "1 while the disk is full.", service.store.isOutOfSpace ? 1 : 0)
        let backups = service.store.backups
        text.gauge(
            "lectern_backup_last_success_timestamp_seconds", "When the last good backup was made; 0 without one.",
            Int((backups.lastGood?.milliseconds ?? 0) / 1000))
        text.counter("lectern_backups_total", "Backups that were made and verified.", backups.counts.good)
        text.counter("lectern_backups_failed_total", "Backups that failed.", backups.counts.failed)
        return Array(text.lines.utf8)
    }
}

/// Writes numbers in Prometheus' text format.
private struct MetricsText {
    private(set) var lines = ""

    mutating func counter(_ name: String, _ help: String, _ value: Int) { add(name, "counter", help, value) }
    mutating func gauge(_ name: String, _ help: String, _ value: Int) { add(name, "gauge", help, value) }

    private mutating func add(_ name: String, _ type: String, _ help: String, _ value: Int) {
        lines += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n\(name) \(value)\n"
    }
}
