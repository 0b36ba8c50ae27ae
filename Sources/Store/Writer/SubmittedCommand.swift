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
    var weightLeft: Int { weight - (progress?.results.count ?? 0) }
}
