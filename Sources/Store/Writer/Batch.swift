package import Model

/// A sequence of commands in one request. Each command is decided after the one before it has been applied.
package struct Batch: Sendable {
    let lines: [BatchCommand]
    /// A Boolean value indicating whether all lines form one transaction, which the first rejected line rolls back.
    let isAtomic: Bool
    /// Encodes the results of all lines as the JSON document that is the response. It is stored under the
    /// `Idempotency-Key`.
    let encode: @Sendable ([BatchResult]) -> [UInt8]

    /// A Boolean value indicating whether lines that are applied twice change nothing the second time, such as the
    /// lines of an import.
    private let isRepeatable: Bool

    /// Creates a batch of lines.
    package init(
        _ lines: [BatchCommand], isAtomic: Bool, isRepeatable: Bool = false,
        encode: @escaping @Sendable ([BatchResult]) -> [UInt8]
    ) {
        (self.lines, self.isAtomic, self.isRepeatable, self.encode) = (lines, isAtomic, isRepeatable, encode)
    }

    /// Returns a Boolean value indicating whether the lines may be applied in several transactions. If the server stops
    /// between two of them, the client sends the batch again. A batch with an `Idempotency-Key` must then not apply a
    /// line twice.
    func mayPause(hasIdempotencyKey: Bool) -> Bool { !isAtomic && (isRepeatable || !hasIdempotencyKey) }
}

/// A command with its actor, or the error with which its line was rejected before it was decided.
package typealias BatchCommand = Result<(command: Command, actor: CommandActor), RequestError>

/// The result of a line.
package typealias BatchResult = Result<CommandOutcome, RequestError>

/// The progress of a batch whose lines are applied in several transactions.
struct BatchProgress {
    var results: [BatchResult] = []
    /// The viewer, with the rights that remain after the lines so far.
    var viewer: Viewer?
    var hasChanged = false
}

extension Command {
    /// Creates the command of a batch.
    package init(_ batch: Batch) {
        self.init(batch: batch) { _, _ in CommandDecision([]) }
    }

    /// The number of requests that the command counts as.
    package var weight: Int { batch.map { max(1, $0.lines.count) } ?? 1 }
}
