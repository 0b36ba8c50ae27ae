import Scheduling

/// The commands that the writer has accepted. Commands of one reader run in order, and readers take turns by the time
/// that their commands take.
struct PendingCommands {
    /// The limits of one transaction.
    struct TransactionLimits {
        fileprivate var left: Int
        fileprivate var count = 0
        fileprivate var isOver = false

        /// Creates the limits of a transaction that counts as at most `max` requests. The first command is always
        /// taken.
        init(max: Int) { left = max }
    }

    /// The microseconds of each reader per round.
    static let quantum = 2000
    /// The maximum weight of a small command. A larger command is always the first of a transaction, so smaller ones do
    /// not wait for it.
    static let smallWeightMax = 8
    private static let accountsMax = 1000

    private var queue = FairQueue<Int64, SubmittedCommand>(quantum: quantum)
    /// The large command that starts the next transaction.
    private var held: SubmittedCommand?

    var isEmpty: Bool { held == nil && queue.isEmpty }

    /// Accepts new commands.
    mutating func add(_ submissions: [SubmittedCommand]) {
        if queue.accountCount > Self.accountsMax { queue.sweep() }
        for submission in submissions { queue.add(submission, of: queue.account(of: submission.subject)) }
    }

    /// Removes and returns the next command of a transaction, or `nil` if there is none or the transaction is to end.
    mutating func next(in turn: inout TransactionLimits) -> SubmittedCommand? {
        guard !turn.isOver, let command = held ?? queue.next()?.element else { return nil }
        held = nil
        let weight = command.weightLeft
        if turn.count > 0, weight > turn.left || weight > Self.smallWeightMax {
            turn.isOver = true
            // A large command yields once to the commands that arrive in the meantime.
            if command.hasWaited {
                held = command
            } else {
                command.hasWaited = true
                putBack(command)
            }
            return nil
        }
        turn.count += 1
        turn.left -= weight
        // The rest of a batch yields again.
        command.hasWaited = false
        return command
    }

    /// Charges the duration of a command to its reader.
    mutating func charge(_ microseconds: Int, to subject: Int64) {
        queue.charge(microseconds, to: queue.account(of: subject))
    }

    /// Puts a command back for the reader's next turn.
    mutating func putBack(_ command: SubmittedCommand) {
        queue.putBack(command, of: queue.account(of: command.subject))
    }
}
