import JSON
import Measures

/// Metrics in Prometheus' text format.
struct PrometheusText {
    private(set) var lines = ""

    /// Appends a counter family with one value.
    mutating func counter(_ name: String, _ help: String, _ value: some CustomStringConvertible) {
        begin(name, "counter", help)
        line(name, value)
    }

    /// Appends a gauge family with one value.
    mutating func gauge(_ name: String, _ help: String, _ value: some CustomStringConvertible) {
        begin(name, "gauge", help)
        line(name, value)
    }

    /// Appends the help text and type of a family, before its lines.
    mutating func begin(_ name: String, _ type: String, _ help: String) {
        lines += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
    }

    /// Appends one value of a family. No label has a value that a client chose.
    mutating func line(_ name: String, labels: String = "", _ value: some CustomStringConvertible) {
        lines += labels.isEmpty ? "\(name) \(value)\n" : "\(name){\(labels)} \(value)\n"
    }

    /// Appends a histogram of a family that has begun. `unit` is the unit of its values.
    mutating func histogram(
        _ name: String, labels: String = "", _ counts: Histograms.Counts, bounds: [Int], unit: MetricUnit
    ) {
        var sum = 0
        let front = labels.isEmpty ? "" : labels + ","
        for (bound, count) in zip(bounds, counts.buckets) {
            sum += count
            line("\(name)_bucket", labels: "\(front)le=\"\(unit.text(bound))\"", sum)
        }
        line("\(name)_bucket", labels: "\(front)le=\"+Inf\"", counts.count)
        line("\(name)_sum", labels: labels, unit.text(counts.sum))
        line("\(name)_count", labels: labels, counts.count)
    }
}

enum MetricUnit {
    case one
    /// Values in microseconds, written in seconds.
    case microseconds
    case milliseconds

    /// Returns the exact text of a value.
    func text(_ value: Int) -> String {
        var json = JSONWriter(capacity: 24)
        switch self {
        case .one: json.integer(value)
        case .microseconds: json.decimal(millionths: value)
        case .milliseconds: json.decimal(millionths: value * 1000)
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
