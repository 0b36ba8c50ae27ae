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
        _ name: String, _ help: String, _ times: [Histograms], to text: inout PrometheusText
    ) {
        let bounds = HistogramTimeBounds.turn
        let none = Histograms.Counts(buckets: bounds.map { _ in 0 } + [0], sum: 0, greatest: 0)
        let all = times.reduce(none) { $0 + $1[0] }
        text.begin("\(name)_duration_seconds", "histogram", help)
        text.histogram("\(name)_duration_seconds", all, bounds: bounds, unit: .microseconds)
        text.gauge(
            "\(name)_longest_seconds", "The longest of these turns since the start.",
            MetricUnit.microseconds.text(all.greatest))
    }
}
