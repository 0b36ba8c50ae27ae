public import JSON
public import Model

/// What a server says is wrong with a request (RFC 9457).
public struct Problem: Sendable, CustomStringConvertible {
    public let status: Int
    /// Nil for what is not of Lectern: a proxy's, for one.
    public let kind: ProblemKind?
    /// For a person.
    public let detail: String
    /// What is wrong with a body, place by place.
    public let violations: [Violation]
    /// Of a write that came too late: what it was to be of, as it is now.
    public let current: Representation?
    /// Its name.
    let etag: String?
    /// When to come back, where the server says so.
    public let retryAfterSeconds: Int?

    init(_ answer: Answer) {
        status = answer.status
        etag = answer.etag
        retryAfterSeconds = answer.retryAfterSeconds
        let body = try? JSONDocument(answer.body, limits: Answer.limits).root
        kind = body?["type"]?.string.flatMap { ProblemKind(rawValue: String($0.drop { $0 != "/" }.dropFirst(10))) }
        detail = body?["detail"]?.string ?? "the server answered \(answer.status)"
        violations =
            body?["violations"]?.elements.map {
                Violation(pointer: $0["pointer"]?.string ?? "", detail: $0["detail"]?.string ?? "")
            } ?? []
        current = body?["current"].flatMap { Representation($0) }
    }

    /// Whether it is the server's, or of the moment.
    var passes: Bool { [408, 425, 429].contains(status) || (500...599).contains(status) }

    public var description: String {
        if violations.isEmpty { return detail }
        return violations.map { "\($0.pointer) \($0.detail)" }.joined(separator: "; ")
    }
}
