/// Commands on their way from the event loops to the writer: bounded, in order.
final class CommandQueue: @unchecked Sendable {
    // SAFETY: the condition's lock guards `waiting`, `weight` and `isClosed`.
    private let condition = MonotonicCondition()
    private var waiting: [Submission] = []
    /// As many requests as those count.
    private var weight = 0
    private var isClosed = false
    private let countMax: Int

    init(countMax: Int) { self.countMax = countMax }

    /// False when the queue is full or closed.
    func add(_ submission: Submission) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        guard !isClosed, weight < countMax else { return false }
        waiting.append(submission)
        weight += submission.weight
        if waiting.count == 1 { condition.signal() }
        return true
    }

    /// What waits, up to a number of requests; empty when nothing came within so many milliseconds; nil when the queue is closed and empty.
    func take(max: Int, patience milliseconds: Int) -> [Submission]? {
        condition.lock()
        defer { condition.unlock() }
        if waiting.isEmpty, !isClosed, milliseconds > 0 { condition.wait(milliseconds: milliseconds) }
        if waiting.isEmpty { return isClosed ? nil : [] }
        if weight <= max {
            let taken = waiting
            (waiting, weight) = ([], 0)
            return taken
        }
        let taken = Array(waiting[..<count(max)])
        waiting.removeFirst(taken.count)
        for submission in taken { weight -= submission.weight }
        return taken
    }

    /// How many of those that wait longest count as so many requests at most; one at least.
    private func count(_ max: Int) -> Int {
        var left = max
        let end = waiting.firstIndex { submission in
            left -= submission.weight
            return left < 0
        }
        return Swift.max(1, end ?? waiting.count)
    }

    /// Lets who waits for commands look at what else there is to do.
    func wake() {
        condition.lock()
        defer { condition.unlock() }
        condition.signal()
    }

    /// Takes no more; what waits is still handed out.
    func closeForGood() {
        condition.lock()
        defer { condition.unlock() }
        isClosed = true
        condition.signal()
    }

    var count: Int {
        condition.lock()
        defer { condition.unlock() }
        return weight
    }
}
