import Model
import Store

/// The ways in which the service hands a command to the writer: from a handler on an event loop, from a job, and without
/// anyone who waits.
extension Store {
    /// Submits a command whose outcome the submission's closure receives. Throws if too many are waiting.
    func submitOrRefuse(_ submission: SubmittedCommand) throws(RequestError) {
        guard submit(submission) else {
            throw .unavailable(
                .tooManyWrites, "Too many writes are waiting. Send the request again in a second.", retryAfterSeconds: 1
            )
        }
    }

    /// Submits a command, by default of the server itself, and returns its outcome when it is on disk.
    @discardableResult
    func submitAndWait(
        _ command: Command, as actor: CommandActor = .server(at: .now)
    ) async throws(RequestError) -> CommandOutcome {
        let result = await withCheckedContinuation { continuation in
            let submission = SubmittedCommand(command: command, actor: actor) {
                continuation.resume(returning: $0)
            }
            do throws(RequestError) { try submitOrRefuse(submission) } catch {
                continuation.resume(returning: .failure(error))
            }
        }
        return try result.get()
    }

    /// Submits a command of the server itself that nothing waits for. It is dropped if too many are waiting.
    func submitInBackground(_ command: Command) {
        // The caller's reason for the command stays, so it comes again.
        _ = submit(SubmittedCommand(command: command, actor: .server(at: .now)) { _ in })
    }
}
