package import Model

/// A command on its way to the writer, who asks for it, and who waits for it.
package struct Submission: Sendable {
    let command: Command
    let asker: Asker
    let idempotency: IdempotencyKey?
    let completion: @Sendable (Result<Outcome, LecternError>) -> Void
    /// As how many requests it counts.
    let weight: Int

    /// `completion` is called on the writer thread, once, when the outcome is on disk or there will be none.
    package init(
        command: Command, asker: Asker, idempotency: IdempotencyKey? = nil,
        completion: @escaping @Sendable (Result<Outcome, LecternError>) -> Void
    ) {
        self.command = command
        self.asker = asker
        self.idempotency = idempotency
        self.completion = completion
        weight = command.weight
    }
}

/// What makes a request safe to repeat: within a day the same key gives the same outcome.
package struct IdempotencyKey: Sendable {
    let readerKey: Int64
    let key: String
    let request: Digest

    /// The key that a reader sent with a request of that digest.
    package init(readerKey: Int64, key: String, request: Digest) {
        self.readerKey = readerKey
        self.key = key
        self.request = request
    }
}

/// What became of a command.
package struct Outcome: Sendable {
    /// What happened to the resource that the command was about. The raw values are stored.
    package enum Effect: UInt8, Sendable {
        case created = 1
        case updated = 2
        case deleted = 3
        case unchanged = 4
    }

    /// The resource.
    package let kind: ResourceKind
    /// The resource's id.
    package let id: ResourceID
    /// Its version now; of a deletion, the deletion's.
    package let version: Int64
    /// Its representation; nil after a deletion.
    package let value: [UInt8]?
    /// What happened.
    package let effect: Effect
    /// The number in its ETag.
    package var validator: Int64 { id.validator(version: version) }
    /// It happened earlier, under the same `Idempotency-Key`.
    package var isReplay = false
}
