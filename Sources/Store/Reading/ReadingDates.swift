import JSON
import Model

extension Reading {
    /// The seconds by which a client's time may be ahead. It then counts as now.
    private static let secondsAheadMax: Int64 = 60

    /// Sets the dates of a reading from a patch. A reading that is finished without a date is finished now, and a
    /// reading that is not finished has no such date.
    mutating func take(
        startedAt start: DecodedMember<Instant>, finishedAt end: DecodedMember<Instant>, wasFinished: Bool,
        at now: Instant
    ) throws(RequestError) {
        switch start {
        case .absent, .invalid: break
        case .null: startedAt = nil
        case .value(let given): startedAt = try Self.past(given, "/startedAt", now)
        }
        switch end {
        case _ where !isFinished: finishedAt = nil
        case .value(let given): finishedAt = try Self.past(given, "/finishedAt", now)
        case .null where wasFinished:
            throw .violation(
                "/finishedAt", "must not be null for a finished reading. Reopen it with isFinished: false")
        case .absent where wasFinished: break
        case .absent, .null, .invalid: finishedAt = max(now, startedAt ?? now)
        }
        guard let startedAt, let finishedAt, startedAt > finishedAt else { return }
        if case .value = end { throw .violation("/finishedAt", "must not be before startedAt, which is \(startedAt)") }
        throw .violation("/startedAt", "must not be after finishedAt, which is \(finishedAt)")
    }

    private static func past(
        _ given: Instant, _ pointer: String, _ now: Instant
    ) throws(RequestError) -> Instant {
        guard given <= now.adding(seconds: secondsAheadMax) else {
            throw .violation(pointer, "must not be after the server's time, \(now)")
        }
        return min(given, now)
    }
}
