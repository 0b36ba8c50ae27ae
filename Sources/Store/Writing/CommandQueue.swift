/// Commands on their way from the event loops to the writer: bounded, in order.
final class CommandQueue: @unchecked Sendable {
    // SAFETY: the condition's lock guards `waiting`, `weight` and `isClosed`.
    private let condition = MonotonicCondition()
    private var waiting: [Submission] = []
    /// The total weight of the commands that the writer has not begun.
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

    /// Removes all commands, which still count until `begin`; empty when nothing came within so many milliseconds; nil when the queue is
    /// closed and empty.
    func take(patience milliseconds: Int) -> [Submission]? {
        condition.lock()
        defer { condition.unlock() }
        if waiting.isEmpty, !isClosed, milliseconds > 0 { condition.wait(milliseconds: milliseconds) }
        if waiting.isEmpty { return isClosed ? nil : [] }
        let taken = waiting
        waiting = []
        return taken
    }

    /// A command that counts as so many requests waits no more.
    func begin(weight: Int) {
        condition.lock()
        defer { condition.unlock() }
        self.weight -= weight
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

    /// The total weight of the commands that the writer has not begun.
    var count: Int {
        condition.lock()
        defer { condition.unlock() }
        return weight
    }
}
