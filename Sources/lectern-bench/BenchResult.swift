import Foundation

/// The results of a scenario, or of one of its threads.
struct BenchResult: Sendable {
    /// The number of successful responses, or of delivered events.
    var answers = 0
    var failures = 0
    /// The latencies in microseconds.
    var latencies: [UInt32] = []
    /// The bodies of the responses by the number of the request, if they are kept.
    var bodies: [Int: [UInt8]] = [:]
    var seconds = 0.0
    /// The server's processor seconds, of all cores together.
    var processorSeconds = 0.0
    /// Additional remarks for the report.
    var notes: [String] = []

    var rate: Double { Double(answers) / seconds }

    /// Counts a response with a status, or a connection that closed. `nanoseconds` is the latency.
    mutating func record(_ status: Int?, after nanoseconds: UInt64) {
        latencies.append(UInt32(clamping: nanoseconds / 1000))
        if let status, (200...299).contains(status) { answers += 1 } else { failures += 1 }
    }

    mutating func add(_ other: BenchResult) {
        answers += other.answers
        failures += other.failures
        latencies += other.latencies
        bodies.merge(other.bodies) { first, _ in first }
        notes += other.notes
    }

    /// Returns a percentile of the latencies in milliseconds.
    func percentile(_ part: Double) -> Double {
        let sorted = latencies.sorted()
        return sorted.isEmpty ? 0 : Double(sorted[min(sorted.count - 1, Int(Double(sorted.count) * part))]) / 1000
    }

    static let heading = "scenario            per second   (from      to)   p50 ms   p99 ms   cpu us   failures"

    /// Prints the run with the median rate.
    static func report(_ name: String, _ runs: [BenchResult]) {
        let runs = runs.sorted { $0.rate < $1.rate }
        let median = runs[runs.count / 2]
        print(
            String(
                format: "%@ %11.0f %8.0f %7.0f %8.2f %8.2f %8.1f %10d",
                name.padding(toLength: 18, withPad: " ", startingAt: 0), median.rate, runs[0].rate,
                runs[runs.count - 1].rate, median.percentile(0.5), median.percentile(0.99),
                median.processorSeconds * 1e6 / Double(max(1, median.answers)), median.failures))
        for note in median.notes { print("                    \(note)") }
    }
}
