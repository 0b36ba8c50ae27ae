import Model

/// The storage of outcomes for requests with an `Idempotency-Key`.
extension Writer {
    /// The time before which stored keys have expired.
    var keysSince: Instant {
        maintenance.time.adding(seconds: -Int64(configuration.idempotencyHours) * 3600)
    }

    static let reusedKey = RequestError.refused(
        .idempotencyKeyReused, "This Idempotency-Key was used for another request. Send a new key.")
}
