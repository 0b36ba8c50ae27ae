/// The durations of a thread's turns, in microseconds. One thread writes, any thread reads.
package final class TurnDurationHistogram: Sendable {
    package static let bounds = [100, 250, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000, 250_000, 1_000_000]

    private let times = Histograms(bounds: bounds)
    private let longestTurn = CounterArray(count: 1)

    package init() {}

    package func record(_ microseconds: Int) {
        times.record(microseconds)
        if microseconds > longestTurn[0] { longestTurn.set(0, microseconds) }
    }

    /// The histogram of the turns.
    package var counts: Histograms.Counts { times[0] }
    /// The longest turn since the start.
    package var longest: Int { longestTurn[0] }
}
