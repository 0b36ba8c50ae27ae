import HTTPServer
import Measures

/// What became of the requests of one event loop, by their routes: as many numbers as there are routes, whatever is asked for. Written by its
/// loop, read by any.
final class RequestCounts: Sendable {
    /// The statuses that are told apart; the last stands for all others.
    static let statuses = [
        200, 201, 202, 204, 206, 303, 304, 400, 401, 403, 404, 405, 406, 408, 409, 410, 411, 412, 413, 414, 415, 417,
        422,
        428, 429, 431, 499, 500, 501, 503, 505, 507, 0,
    ]
    static let classes = 2...5

    /// By status, from 200.
    private static let slots: [Int] = (200...599).map { status in
        statuses.firstIndex(of: status) ?? statuses.count - 1
    }

    /// What took no route is counted behind the last one.
    private let rows = Route.all.count + 1
    private let counts: Tallies
    private let times: Histograms

    init() {
        counts = Tallies(count: rows * Self.statuses.count)
        times = Histograms(rows: rows * Self.classes.count, bounds: TimeBounds.answer)
    }

    func note(_ end: borrowing RequestEnd) {
        let row = end.trace.route < 0 ? rows - 1 : Int(end.trace.route)
        let status = min(max(end.status, 200), 599)
        counts.add(row * Self.statuses.count + Self.slots[status - 200])
        guard !end.trace.hasWaited, end.outcome == .answer || end.outcome == .stream else { return }
        times.note(Int(end.nanoseconds / 1000), row: row * Self.classes.count + status / 100 - Self.classes.lowerBound)
    }

    /// What took a route, nil for none, and ended with a status of `statuses`.
    func count(of route: Int?, statusSlot: Int) -> Int {
        counts[(route ?? rows - 1) * Self.statuses.count + statusSlot]
    }

    /// Microseconds that it took, by the first digit of the status.
    func times(of route: Int?, statusClass: Int) -> Histograms.Counts {
        times[(route ?? rows - 1) * Self.classes.count + statusClass - Self.classes.lowerBound]
    }
}
