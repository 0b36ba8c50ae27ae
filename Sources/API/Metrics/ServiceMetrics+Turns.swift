import Measures
import Store

/// The metrics of turns: the time for which a thread works before others have their turn.
extension ServiceMetrics {
    static func addTurns(of service: SharedServiceState, to text: inout PrometheusText) {
        let loops = service.loopCounters.compactMap(\.gauges?.turnTimes)
        add(
            "lectern_loop_turn", "Uninterrupted work of an event loop: a request, a job, or the events of a commit.",
            loops, to: &text)
        add(
            "lectern_writer_turn", "Work of the writer for one transaction, before its COMMIT.",
            [service.store.counters.turns], to: &text)
    }

    private static func add(
        _ name: String, _ help: String, _ times: [TurnDurationHistogram], to text: inout PrometheusText
    ) {
        let none = Histograms.Counts(buckets: TurnDurationHistogram.bounds.map { _ in 0 } + [0], sum: 0)
        text.begin("\(name)_duration_seconds", "histogram", help)
        text.histogram(
            "\(name)_duration_seconds", times.map(\.counts).reduce(none, +), bounds: TurnDurationHistogram.bounds,
            unit: .microseconds)
        text.gauge(
            "\(name)_longest_seconds", "The longest of these turns since the start.",
            MetricUnit.microseconds.text(times.map(\.longest).max() ?? 0))
    }
}
