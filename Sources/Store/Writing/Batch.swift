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

    /// A batch of lines.
    package init(_ lines: [Line], isAtomic: Bool, encode: @escaping @Sendable ([Answer]) -> [UInt8]) {
        (self.lines, self.isAtomic, self.encode) = (lines, isAtomic, encode)
    }
}

extension Command {
    /// All lines of a batch.
    package init(_ batch: Batch) {
        self.init(batch: batch) { _, _ in Decision([]) }
    }

    /// As how many requests it counts.
    package var weight: Int { batch.map { max(1, $0.lines.count) } ?? 1 }
}
