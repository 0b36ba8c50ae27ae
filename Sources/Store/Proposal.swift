public import Model

/// What a command wants to be true of one resource. Nothing before: it is made. Nothing after: it is taken away.
public enum Proposal: Sendable {
    case book(before: Book?, after: Book?)
    case reading(before: Reading?, after: Reading?)
    case entry(before: Entry?, after: Entry?)
    case reader(before: Reader?, after: Reader?)
    /// A new token, with the digest of its secret.
    case issue(Token, Digest)
    /// A token that holds no longer.
    case revoke(Token)
    /// The day a token was used: kept, but no change that anybody watches.
    case touch(ResourceID, day: Int64)
}

/// What a command decided: its proposals, in the order in which they are to be logged.
public struct Decision: Sendable {
    /// In order. A proposal whose two sides are equal changes nothing.
    public let proposals: [Proposal]
    /// Which of them the answer is about.
    public let subject: Int

    /// A decision whose answer is about the proposal at `subject`.
    public init(_ proposals: [Proposal], subject: Int = 0) {
        self.proposals = proposals
        self.subject = subject
    }
}
