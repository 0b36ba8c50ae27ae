import JSON
package import Model

extension Command {
    /// Tokens of one reader.
    static let tokensMax = 1000

    /// Issues a token whose secret has that digest. Readers may for themselves, administrators for anyone. What a token makes
    /// ends with it at the latest: else who has it for a day has it for good.
    package static func createToken(_ draft: TokenDraft, _ digest: Digest) -> Command {
        Command { state, asker throws(LecternError) in
            if let end = asker.viewer.expiresAt, draft.expiresAt.map({ $0 > end }) ?? true {
                throw .invalid([
                    Violation(pointer: "/expiresAt", detail: "must be at most \(end), when the token that asks ends")
                ])
            }
            var owner = asker.reader
            if let wanted = draft.reader, wanted != owner.id {
                guard asker.viewer.role == .administrator else {
                    throw .refused(.administratorsOnly, "Only an administrator issues tokens for others.")
                }
                guard let reader = try state.read(ReaderTable.find(wanted, in: state.db)) else {
                    throw .invalid([Violation(pointer: "/reader", detail: "there is no such reader")])
                }
                owner = (reader.id, reader.key)
            }
            var token = Token(
                id: asker.newID, reader: owner, name: draft.name, access: draft.access, expiresAt: draft.expiresAt,
                createdAt: asker.now)
            token.digest = digest
            let expired = try state.room(for: token, asker)
            return Decision(expired + [Write<TokenTable>(before: nil, after: token)], subject: expired.count)
        }
    }

    /// Ends a token: requests with it are refused from now on, and its streams end. Its reader may, and administrators.
    package static func revokeToken(_ id: ResourceID) -> Command {
        Command { state, asker throws(LecternError) in
            let token = try state.found(TokenTable.find(id, in: state.db)) {
                asker.viewer.role == .administrator || $0.readerKey == asker.reader.key
            }
            try asker.precondition.check(token)
            return Decision([Write<TokenTable>(before: token, after: nil)])
        }
    }

    /// Notes the day on which a token was last used, counted from 1970-01-01.
    package static func touchToken(_ id: ResourceID, day: Int64) -> Command {
        Command { _, _ in Decision([TokenUse(token: id, day: day)]) }
    }
}

extension WriteState {
    /// Who has as many tokens as there may be gives up one that has expired; without one it is refused. The machine's own
    /// user is not: whoever operates the service is never shut out.
    fileprivate func room(for token: Token, _ asker: Asker) throws(LecternError) -> [any Proposal] {
        let count = try read(TokenTable.count(ofReader: token.readerKey, in: db))
        guard count >= Command.tokensMax, asker.viewer.token != nil else { return [] }
        if let expired = try read(TokenTable.expired(ofReader: token.readerKey, at: asker.now, in: db)) {
            return [Write<TokenTable>(before: expired, after: nil)]
        }
        throw .limitReached(
            limit: "tokensMax", max: Command.tokensMax,
            "A reader has \(Command.tokensMax) tokens at most. Revoke one first.")
    }
}
