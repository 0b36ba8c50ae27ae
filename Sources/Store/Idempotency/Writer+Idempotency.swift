import Model

/// The storage of outcomes for requests with an `Idempotency-Key`.
extension Writer {
    /// The time before which stored keys have expired.
    var keysSince: Instant {
        maintenance.time.adding(seconds: -Int64(configuration.idempotencyHours) * 3600)
    }

    static let reusedKey = RequestError.refused(
        .idempotencyKeyReused, "This Idempotency-Key was used for another request. Send a new key.")

    func apply(_ decision: CommandDecision, _ submission: SubmittedCommand, _ now: Instant) throws(SQLiteError)
        -> CommandOutcome
    {
        let outcome = try transaction.apply(decision, at: now)
        try keep(outcome, of: submission)
        return outcome
    }

    /// Stores the outcome of a request that has an `Idempotency-Key`.
    func keep(_ outcome: CommandOutcome, of submission: SubmittedCommand) throws(SQLiteError) {
        guard let key = submission.idempotency else { return }
        try IdempotencyKeyTable.insert(key, outcome, at: maintenance.time, in: connection)
    }
}
