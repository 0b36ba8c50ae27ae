package import Model

/// A command on its way to the writer, with its actor and its completion handler. It is a class because it moves between
/// queues.
package final class SubmittedCommand: @unchecked Sendable {
    // SAFETY: only the writer uses `progress` and `hasWaited`.
    let command: Command
    let actor: CommandActor
    let idempotency: IdempotencyKey?
    let completion: @Sendable (Result<CommandOutcome, RequestError>) -> Void
    /// The number of requests that the command counts as.
    let weight: Int
    /// The lines of a batch that earlier transactions have applied, or `nil`.
    var progress: BatchProgress?
    /// A Boolean value indicating whether the command was already deferred once because it is large.
    var hasWaited = false

    /// Creates a submission. `completion` is called once, on the writer thread, when the outcome is on disk or the
    /// command has failed.
    package init(
        command: Command, actor: CommandActor, idempotency: IdempotencyKey? = nil,
        completion: @escaping @Sendable (Result<CommandOutcome, RequestError>) -> Void
    ) {
        self.command = command
        self.actor = actor
        self.idempotency = idempotency
        self.completion = completion
        weight = command.weight
    }

    /// The key of the reader who sent the command; 0 for the server itself.
    var subject: Int64 { actor.reader.key }

    /// The weight of the remaining lines.
    var weightLeft: Int { weight - (progress?.answers.count ?? 0) }
}

/// The key that makes a request safe to repeat: within a day the same key returns the same outcome.
package struct IdempotencyKey: Sendable {
    let readerKey: Int64
    let key: String
    let request: SHA256Digest

    /// Creates the key that a reader sent with a request of that digest.
    package init(readerKey: Int64, key: String, request: SHA256Digest) {
        self.readerKey = readerKey
        self.key = key
        self.request = request
    }
}
