import HTTPServer
import Measures

/// The metrics of requests: one line for each route and status that has occurred, never for a URL.
extension ServiceMetrics {
    static func addRequests(of service: SharedServiceState, to text: inout PrometheusText) {
        let loops = service.loopCounters.map(\.ended)
        let all: [Int?] = Route.all.indices.map { $0 } + [nil]
        let routes = all.filter { route in loops.contains { $0.isUsed(route) } }
        text.begin("lectern_requests_total", "counter", "Completed requests, by route and status.")
        for route in routes {
            for (slot, status) in RequestCounts.statuses.enumerated() {
                let count = loops.reduce(0) { $0 + $1.count(of: route, statusSlot: slot) }
                guard count > 0 else { continue }
                let given = status == 0 ? "other" : "\(status)"
                text.line("lectern_requests_total", labels: "\(labels(of: route)),status=\"\(given)\"", count)
            }
        }
        text.counter(
            "lectern_batched_requests_total", "Requests inside batches.",
            service.loopCounters.reduce(0) { $0 + $1.batched.current })
        let name = "lectern_request_duration_seconds"
        text.begin(
            name, "histogram", "Time from a request to its response, or to a stream's head, without waiting polls.")
        for route in routes {
            for statusClass in RequestCounts.classes {
                let each = loops.map { $0.times(of: route, statusClass: statusClass) }
                let times = each.dropFirst().reduce(each[0], +)
                guard times.count > 0 else { continue }
                let labels = "\(labels(of: route)),status=\"\(statusClass)xx\""
                text.histogram(name, labels: labels, times, bounds: HistogramTimeBounds.answer, unit: .microseconds)
            }
        }
    }

    private static func labels(of route: Int?) -> String {
        guard let route else { return "method=\"none\",route=\"none\"" }
        return "method=\"\(Route.all[route].method.text)\",route=\"\(Route.all[route].path)\""
    }
}
