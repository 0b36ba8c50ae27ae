import JSON
package import Model

/// Issues a token.
package struct CreateToken: Command {
    let id: ResourceID
    let draft: TokenDraft
    let digest: Digest
    let viewer: Viewer
    let now: Instant

    /// A token whose secret has that digest.
    package init(id: ResourceID, draft: TokenDraft, digest: Digest, viewer: Viewer, now: Instant) {
        self.id = id
        self.draft = draft
        self.digest = digest
        self.viewer = viewer
        self.now = now
    }

    /// Readers may for themselves, administrators for anyone. What a token makes ends with it at the latest: else who has
    /// it for a day has it for good.
    package func decide(_ state: borrowing WriteState) throws(LecternError) -> Decision {
        if let end = viewer.expiresAt, draft.expiresAt.map({ $0 > end }) ?? true {
            throw .invalid([
                Violation(pointer: "/expiresAt", detail: "must be at most \(end), when the token that asks ends")
            ])
        }
        var owner = (id: viewer.reader, key: viewer.readerKey)
        if let wanted = draft.reader, wanted != viewer.reader {
            guard viewer.role == .administrator else {
                throw .refused(.administratorsOnly, "Only an administrator issues tokens for others.")
            }
            guard let reader = try state.query({ db throws(SQLiteError) in try ReaderTable.find(wanted, in: db) })
            else {
                throw .invalid([Violation(pointer: "/reader", detail: "there is no such reader")])
            }
            owner = (reader.id, reader.key)
        }
        var token = Token(
            id: id, reader: owner, name: draft.name, access: draft.access, expiresAt: draft.expiresAt, createdAt: now)
        token.digest = digest
        let expired = try room(for: token, state)
        return Decision(expired + [Write<TokenTable>(before: nil, after: token)], subject: expired.count)
    }

    /// Tokens of one reader.
    static var tokensMax: Int { 1000 }

    /// Who has as many tokens as there may be gives up one that has expired; without one it is refused. The machine's own
    /// user is not: whoever operates the service is never shut out.
    private func room(for token: Token, _ state: borrowing WriteState) throws(LecternError) -> [any Proposal] {
        let count = try state.query { db throws(SQLiteError) in
            try TokenTable.count(ofReader: token.readerKey, in: db)
        }
        guard count >= Self.tokensMax, viewer.token != nil else { return [] }
        let now = now
        let expired = try state.query { db throws(SQLiteError) in
            try TokenTable.expired(ofReader: token.readerKey, at: now, in: db)
        }
        if let expired { return [Write<TokenTable>(before: expired, after: nil)] }
        throw .limitReached(
            limit: "tokensMax", max: Self.tokensMax, "A reader has \(Self.tokensMax) tokens at most. Revoke one first.")
    }
}

/// Ends a token: requests with it are refused from now on, and its streams end.
package struct RevokeToken: Command {
    let id: ResourceID
    let precondition: Precondition
    let viewer: Viewer

    /// The end of a token.
    package init(id: ResourceID, precondition: Precondition, viewer: Viewer, now: Instant) {
        self.id = id
        self.precondition = precondition
        self.viewer = viewer
    }

    /// Its reader may, and administrators.
    package func decide(_ state: borrowing WriteState) throws(LecternError) -> Decision {
        let id = id
        let found = try state.query { db throws(SQLiteError) in try TokenTable.find(id, in: db) }
        guard let token = found, viewer.role == .administrator || token.readerKey == viewer.readerKey else {
            throw .notFound
        }
        try precondition.check(token)
        return Decision([Write<TokenTable>(before: token, after: nil)])
    }
}

/// Notes the day on which a token was last used.
package struct TouchToken: Command {
    let id: ResourceID
    let day: Int64

    /// A use on a day, counted from 1970-01-01.
    package init(id: ResourceID, day: Int64) {
        self.id = id
        self.day = day
    }

    /// Always.
    package func decide(_ state: borrowing WriteState) -> Decision { Decision([TokenUse(token: id, day: day)]) }
}
