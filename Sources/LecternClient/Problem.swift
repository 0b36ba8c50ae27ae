public import JSON
public import Model

/// A server's problem details for a request (RFC 9457).
public struct Problem: Sendable, CustomStringConvertible {
    public let status: Int
    /// The kind, or `nil` for a problem that is not Lectern's, such as a proxy's.
    public let kind: ProblemKind?
    /// The explanation for a person.
    public let detail: String
    /// The errors of a body, by their place.
    public let violations: [Violation]
    /// The current state of a resource whose outdated state a write referred to.
    public let current: ResourceRepresentation?
    /// The entity tag of `current`.
    let etag: String?
    /// The seconds after which to retry, if the server sends them.
    public let retryAfterSeconds: Int?

    init(_ answer: ClientResponse) {
        let body = try? JSONDocument(answer.body, limits: ClientResponse.limits).root
        self.init(body, status: answer.status, etag: answer.etag, retryAfterSeconds: answer.retryAfterSeconds)
    }

    /// Reads problem details within another response. By default they contain the status.
    package init(_ body: JSONValue?, status: Int? = nil, etag: String? = nil, retryAfterSeconds: Int? = nil) {
        let status = status ?? Int(body?["status"]?.integer ?? 0)
        (self.status, self.etag, self.retryAfterSeconds) = (status, etag, retryAfterSeconds)
        kind = body?["type"]?.string.flatMap { ProblemKind(rawValue: String($0.drop { $0 != "/" }.dropFirst(10))) }
        detail = body?["detail"]?.string ?? "the server returned the status \(status)"
        violations =
            body?["violations"]?.elements.map {
                Violation(pointer: $0["pointer"]?.string ?? "", detail: $0["detail"]?.string ?? "")
            } ?? []
        current = body?["current"].flatMap { ResourceRepresentation($0) }
    }

    /// A Boolean value indicating whether the problem may be temporary, or the server's fault.
    var passes: Bool { [408, 425, 429].contains(status) || (500...599).contains(status) }

    public var description: String {
        if violations.isEmpty { return detail }
        return violations.map { "\($0.pointer): \($0.detail)" }.joined(separator: "; ")
    }
}
