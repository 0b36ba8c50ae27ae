/// A bounded queue of commands from the event loops to the writer, in order of arrival.
final class CommandQueue: @unchecked Sendable {
    // SAFETY: the condition's lock guards `waiting`, `weight` and `isClosed`.
    private let condition = MonotonicCondition()
    private var waiting: [SubmittedCommand] = []
    /// The total weight of the commands that the writer has not begun.
    private var weight = 0
    private var isClosed = false
    private let countMax: Int

    init(countMax: Int) { self.countMax = countMax }

    /// Adds a command. Returns `false` if the queue is full or closed.
    func add(_ submission: SubmittedCommand) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        guard !isClosed, weight < countMax else { return false }
        waiting.append(submission)
        weight += submission.weight
        if waiting.count == 1 { condition.signal() }
        return true
    }

    /// Removes all commands, which count until `begin(weight:)` is called for each. Returns an empty array after the
    /// timeout, or `nil` if the queue is closed and empty.
    func take(patience milliseconds: Int) -> [SubmittedCommand]? {
        condition.lock()
        defer { condition.unlock() }
        if waiting.isEmpty, !isClosed, milliseconds > 0 { condition.wait(milliseconds: milliseconds) }
        if waiting.isEmpty { return isClosed ? nil : [] }
        let taken = waiting
        waiting = []
        return taken
    }

    /// Subtracts the weight of a command that the writer has begun.
    func begin(weight: Int) {
        condition.lock()
        defer { condition.unlock() }
        self.weight -= weight
    }

    /// Closes the queue to new commands. Commands that are already in it can still be taken.
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
