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
                guard let reader = try state.read(ReaderTable.find(wanted, in: state.db)) else {
                    throw .violation("/reader", "there is no such reader")
                }
                owner = (reader.id, reader.key)
            }
            var token = Token(
                id: actor.newID, reader: owner, name: draft.name, access: draft.access, expiresAt: draft.expiresAt,
                createdAt: actor.now)
            token.digest = digest
            let expired = try state.room(for: token, actor)
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
    /// Returns the deletion of an expired token if the reader has the maximum number, or throws if none has expired.
    /// The limit does not apply to the local user of the machine, so the operator always has access.
    fileprivate func room(for token: Token, _ actor: CommandActor) throws(RequestError) -> [any CommandChange] {
        let count = try read(TokenTable.rows.count(of: "reader", token.readerKey, in: db))
        guard count >= Command.tokensMax.max, actor.viewer.token != nil else { return [] }
        if let expired = try read(TokenTable.expired(ofReader: token.readerKey, at: actor.now, in: db)) {
            return [RowWrite<TokenTable>(before: expired, after: nil)]
        }
        throw Command.tokensMax.problem
    }
}
