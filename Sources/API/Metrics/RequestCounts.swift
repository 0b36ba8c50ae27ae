import HTTPServer
import Measures

/// The counts of one event loop's requests by route and status. Their number depends on the routes, not on requests.
/// Written by its loop, read by any thread.
final class RequestCounts: Sendable {
    /// The statuses with a count of their own. The last entry stands for all others.
    static let statuses = [
        200, 201, 202, 204, 303, 304, 400, 401, 403, 404, 405, 406, 408, 409, 410, 411, 412, 413, 414, 415, 417,
        422, 429, 431, 499, 500, 501, 503, 505, 507, 0,
    ]
    static let classes = 2...5

    /// The index in `statuses` for each status from 200.
    private static let slots: [Int] = (200...599).map { status in
        statuses.firstIndex(of: status) ?? statuses.count - 1
    }

    /// The number of rows: one for each route, and one for requests without a route.
    private let rows = Route.all.count + 1
    private let counts: CounterArray
    private let times: Histograms

    init() {
        counts = CounterArray(count: rows * Self.statuses.count)
        times = Histograms(rows: rows * Self.classes.count, bounds: HistogramTimeBounds.answer)
    }

    func record(_ end: borrowing RequestEnd) {
        let row = end.trace.route < 0 ? rows - 1 : Int(end.trace.route)
        let status = min(max(end.status, 200), 599)
        counts.add(row * Self.statuses.count + Self.slots[status - 200])
        guard !end.trace.hasWaited, end.outcome == .answer || end.outcome == .stream else { return }
        times.record(
            Int(end.nanoseconds / 1000), row: row * Self.classes.count + status / 100 - Self.classes.lowerBound)
    }

    /// Returns whether a route, or no route, has had requests.
    func isUsed(_ route: Int?) -> Bool {
        Self.statuses.indices.contains { count(of: route, statusSlot: $0) > 0 }
    }

    /// Returns the number of requests of a route, or without a route, whose status is at a position of `statuses`.
    func count(of route: Int?, statusSlot: Int) -> Int {
        counts[(route ?? rows - 1) * Self.statuses.count + statusSlot]
    }

    /// Returns the response times in microseconds of a route, by the first digit of the status.
    func times(of route: Int?, statusClass: Int) -> Histograms.Counts {
        times[(route ?? rows - 1) * Self.classes.count + statusClass - Self.classes.lowerBound]
    }
}
