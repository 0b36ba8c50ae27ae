package import Model

/// Commands that are asked for together. Each is decided after the one before has been applied, and so by what that left.
package struct Batch: Sendable {
    /// A line: what is asked for, or why it is not even asked.
    package typealias Line = Result<(command: Command, asker: Asker), LecternError>
    /// What became of a line.
    package typealias Answer = Result<Outcome, LecternError>

    let lines: [Line]
    /// Whether all lines are one transaction: the first that is refused takes back what the ones before did.
    let isAtomic: Bool
    /// The answer to all lines, a JSON document, of the answers to each. It is kept under the `Idempotency-Key`.
    let encode: @Sendable ([Answer]) -> [UInt8]

    /// Whether lines that are applied a second time change nothing, as those of an import.
    private let isRepeatable: Bool

    /// A batch of lines.
    package init(
        _ lines: [Line], isAtomic: Bool, isRepeatable: Bool = false,
        encode: @escaping @Sendable ([Answer]) -> [UInt8]
    ) {
        (self.lines, self.isAtomic, self.isRepeatable, self.encode) = (lines, isAtomic, isRepeatable, encode)
    }

    /// A Boolean value that indicates whether its lines may be applied in several transactions. If the server ends between two of them, the
    /// client sends the batch again; where it is kept under an `Idempotency-Key`, no line may then be applied twice.
    func mayPause(isKept: Bool) -> Bool { !isAtomic && (isRepeatable || !isKept) }
}

/// How far a batch is whose lines are applied in several transactions.
struct BatchProgress {
    var answers: [Batch.Answer] = []
    /// The viewer, with the rights that remain after the lines so far.
    var viewer: Viewer?
    var hasChanged = false
}

extension Command {
    /// All lines of a batch.
    package init(_ batch: Batch) {
        self.init(batch: batch) { _, _ in Decision([]) }
    }

    /// As how many requests it counts.
    package var weight: Int { batch.map { max(1, $0.lines.count) } ?? 1 }
}
