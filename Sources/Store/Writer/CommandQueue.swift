import Synchronization

/// A bounded queue of commands from the event loops to the writer, in order of arrival.
final class CommandQueue: Sendable {
    private struct Contents {
        var waiting: [SubmittedCommand] = []
        /// The total weight of the commands that the writer has not begun.
        var weight = 0
        var isClosed = false
        /// A Boolean value indicating whether the writer waits for the next command.
        var isAwaited = false
    }

    private let contents = Mutex(Contents())
    private let wakeEvent = Semaphore()
    private let countMax: Int

    init(countMax: Int) { self.countMax = countMax }

    /// Adds a command. Returns `false` if the queue is full or closed.
    func add(_ submission: SubmittedCommand) -> Bool {
        contents.withLock { contents in
            guard !contents.isClosed, contents.weight < countMax else { return false }
            contents.waiting.append(submission)
            contents.weight += submission.weight
            wakeWriter(&contents)
            return true
        }
    }

    private func wakeWriter(_ contents: inout Contents) {
        if contents.isAwaited { wakeEvent.signal() }
        contents.isAwaited = false
    }

    /// Removes all commands, which count until `begin(weight:)` is called for each. Returns an empty array after the
    /// timeout, or `nil` if the queue is closed and empty.
    func take(patience milliseconds: Int) -> [SubmittedCommand]? {
        let isWaiting = contents.withLock { contents in
            contents.isAwaited = contents.waiting.isEmpty && !contents.isClosed && milliseconds > 0
            return contents.isAwaited
        }
        if isWaiting { wakeEvent.wait(milliseconds: milliseconds) }
        return contents.withLock { contents in
            defer { (contents.waiting, contents.isAwaited) = ([], false) }
            return contents.waiting.isEmpty && contents.isClosed ? nil : contents.waiting
        }
    }

    /// Subtracts the weight of a command that the writer has begun.
    func begin(weight: Int) { contents.withLock { $0.weight -= weight } }

    /// Closes the queue to new commands. Commands that are already in it can still be taken.
    func closeForGood() {
        contents.withLock { contents in
            contents.isClosed = true
            wakeWriter(&contents)
        }
    }

    /// The total weight of the commands that the writer has not begun.
    var count: Int { contents.withLock { $0.weight } }
}
