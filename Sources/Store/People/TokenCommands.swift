package import Model

extension Command {
    /// The maximum number of tokens of one reader.
    static let tokensMax = CountLimit("tokensMax", 1000) {
        "The reader has \($0) tokens, which is the maximum. Revoke one first."
    }

    /// Creates a token with the digest of its secret. Readers create their own; administrators create tokens for
    /// anyone. A token that a temporary token creates expires no later, so temporary access cannot become permanent.
    package static func createToken(_ draft: TokenDraft, _ digest: SHA256Digest) -> Command {
        Command { state, actor throws(RequestError) in
            if let end = actor.viewer.expiresAt, draft.expiresAt.map({ $0 > end }) ?? true {
                throw .violation("/expiresAt", "must be at most \(end), when your own token expires")
            }
            var owner = actor.reader
            if let wanted = draft.reader, wanted != owner.id {
                guard actor.viewer.role == .administrator else {
                    throw .refused(.administratorsOnly, "Only administrators create tokens for others.")
                }
                guard let reader = try state.query(ReaderTable.find(wanted, in: state.db)) else {
                    throw .violation("/reader", "there is no such reader")
                }
                owner = (reader.id, reader.key)
            }
            var token = Token(
                id: actor.newID, reader: owner, name: draft.name, access: draft.access, expiresAt: draft.expiresAt,
                createdAt: actor.now)
            token.digest = digest
            // The limit does not apply to the local user of the machine, so the operator always has access.
            let expired =
                actor.viewer.token == nil
                ? []
                : try state.room(in: TokenTable.self, of: "reader", owner.key, tokensMax, at: actor.now) {
                    $0.expiresAt
                }
            return CommandDecision(expired + [RowWrite<TokenTable>(before: nil, after: token)], subject: expired.count)
        }
    }

    /// Deletes a token: further requests with it are refused, and its streams end. Its reader may, and administrators.
    package static func deleteToken(_ id: ResourceID) -> Command {
        deletion(TokenTable.self) { state, actor throws(RequestError) in
            try state.found(TokenTable.find(id, in: state.db)) {
                actor.viewer.role == .administrator || $0.readerKey == actor.reader.key
            }
        }
    }

    /// Records the day on which a token was last used, in days since 1970-01-01.
    package static func touchToken(_ id: ResourceID, day: Int64) -> Command {
        Command { _, _ in CommandDecision([TokenTable.use(of: id, on: day)]) }
    }
}

extension WriteState {
    /// Returns the deletion of an expired row if a reader has the maximum number, or throws if none has expired.
    ///
    /// - Parameter owner: The column with the reader's key.
    func room<Stored: ResourceTable>(
        in _: Stored.Type, of owner: StaticString, _ reader: Int64, _ limit: CountLimit, at now: Instant,
        expiresAt: (Stored.Row) -> Instant?
    ) throws(RequestError) -> [any CommandChange] {
        guard try query(Stored.rows.count(of: owner, reader, in: db)) >= limit.max else { return [] }
        let all = try query(Stored.all(of: owner, reader, in: db))
        guard let expired = all.first(where: { expiresAt($0).map { $0 <= now } ?? false }) else { throw limit.problem }
        return Stored.deletions(of: [expired])
    }
}
