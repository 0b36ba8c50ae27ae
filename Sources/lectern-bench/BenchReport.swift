import Foundation

/// The report, with the run of the median rate for each scenario.
struct BenchReport {
    private var names: [String] = []
    private var results: [String: [RequestLoadResult]] = [:]

    mutating func add(_ name: String, _ result: RequestLoadResult) {
        if results[name] == nil { names.append(name) }
        results[name, default: []].append(result)
    }

    func print() {
        guard !names.isEmpty else { return }
        Swift.print("scenario            per second   (from      to)   p50 ms   p99 ms   cpu us   failures")
        for name in names {
            let runs = (results[name] ?? []).sorted { $0.rate < $1.rate }
            let median = runs[runs.count / 2]
            Swift.print(
                String(
                    format: "%@ %11.0f %8.0f %7.0f %8.2f %8.2f %8.1f %10d",
                    name.padding(toLength: 18, withPad: " ", startingAt: 0), median.rate, runs[0].rate,
                    runs[runs.count - 1].rate, median.percentile(0.5), median.percentile(0.99),
                    median.processorSeconds * 1e6 / Double(max(1, median.answers)), median.failures))
            for note in median.notes { Swift.print("                    \(note)") }
        }
    }
}

/// The address of another server, which is measured for comparison.
struct ReferenceServer {
    let port: UInt16
    let request: [UInt8]

    /// Parses `http://127.0.0.1:PORT/PATH`.
    init?(_ text: String) {
        guard let url = URL(string: text), let port = url.port.flatMap({ UInt16(exactly: $0) }) else { return nil }
        self.port = port
        request = Array("GET \(url.path.isEmpty ? "/" : url.path) HTTP/1.1\r\nHost: bench\r\n\r\n".utf8)
    }
}
