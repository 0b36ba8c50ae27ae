import Scheduling

/// A command that the writer has accepted, and how far it is. A reference, because it moves between queues; only the writer has it.
final class PendingCommand {
    let submission: Submission
    /// The lines that earlier transactions have applied; nil where none has.
    let progress: BatchProgress?
    /// Whether a transaction has ended before it, for it is large.
    fileprivate var hasWaited = false

    init(_ submission: Submission, _ progress: BatchProgress? = nil) {
        (self.submission, self.progress) = (submission, progress)
    }

    /// The key of the reader who asks; 0 for the server itself.
    var subject: Int64 { submission.asker.reader.key }

    /// The weight of the remaining lines.
    fileprivate var weight: Int { submission.weight - (progress?.answers.count ?? 0) }
}

/// The commands that the writer has accepted. Each reader's are served in order, and the readers take turns by the time that their
/// commands took.
struct PendingCommands {
    /// The limits of one transaction.
    struct Turn {
        fileprivate var left: Int
        fileprivate var count = 0
        fileprivate var isOver = false

        /// A turn of commands that count as `max` requests at most; the first command is always taken.
        init(max: Int) { left = max }
    }

    /// Microseconds that a reader has in each round.
    static let quantum = 2000
    /// A command that counts as more requests begins a transaction, so that smaller ones do not wait for it.
    static let smallWeightMax = 8
    private static let accountsMax = 1000

    private var queue = FairQueue<Int64, PendingCommand>(quantum: quantum)
    /// The large command that begins the next transaction.
    private var held: PendingCommand?

    var isEmpty: Bool { held == nil && queue.isEmpty }

    /// Accepts new commands.
    mutating func add(_ submissions: [Submission]) {
        if queue.accountCount > Self.accountsMax { queue.sweep() }
        for submission in submissions {
            queue.add(PendingCommand(submission), of: queue.account(of: submission.asker.reader.key))
        }
    }

    /// Removes the next command of a transaction; nil when there is none, or when the transaction is to end before it.
    mutating func next(in turn: inout Turn) -> PendingCommand? {
        guard !turn.isOver, let command = held ?? queue.next()?.element else { return nil }
        held = nil
        let weight = command.weight
        if turn.count > 0, weight > turn.left || weight > Self.smallWeightMax {
            turn.isOver = true
            // Those who come meanwhile are served before it once.
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
        return command
    }

    /// Takes the time that a reader's command took from the reader.
    mutating func charge(_ microseconds: Int, to subject: Int64) {
        queue.charge(microseconds, to: queue.account(of: subject))
    }

    /// Keeps the rest of a command for the reader's next turn.
    mutating func putBack(_ command: PendingCommand) {
        queue.putBack(command, of: queue.account(of: command.subject))
    }
}
