package import Model

extension Command {
    /// The maximum number of identities of one reader.
    static let identitiesPerReaderMax = CountLimit("identitiesPerReaderMax", 10) {
        "You have \($0) identities, which is the maximum. Disconnect one first."
    }

    /// Opens a session for the reader with an identity. An unknown identity registers a new reader, with an invitation,
    /// or without one in open registration. The server issues the command; its outcome is the session.
    package static func createSession(
        by identity: (issuer: String, subject: String), named name: String, link: SHA256Digest?,
        _ policy: RegistrationPolicy,
        _ session: NewSession, registrationCheck: @escaping RegistrationCheck = { _ in }
    ) -> Command {
        let register = register(
            named: name, identity: identity, link: link, session, policy, registrationCheck: registrationCheck)
        return Command { state, actor throws(RequestError) in
            if let reader = try state.query(ProviderIdentityTable.find(identity.issuer, identity.subject, in: state.db))
            {
                let opening = try state.opening(session, of: reader, at: actor.now)
                return CommandDecision(opening, subject: opening.count - 1)
            }
            guard policy.mode != .closed else { throw .registrationClosed }
            guard link != nil || policy.mode == .open else {
                throw .refused(
                    .identityUnknown,
                    "No account here has this identity. Open an invitation link, or sign in another way and connect it."
                )
            }
            return try register.decide(state, actor)
        }
    }

    /// Connects an identity to a reader, unless the session in which the reader requested it has ended.
    package static func createIdentity(
        _ identity: (issuer: String, subject: String), to reader: ResourceID, by session: ResourceID
    ) -> Command {
        Command { state, actor throws(RequestError) in
            let token = try state.query(TokenTable.find(session, in: state.db))
            guard let token, token.reader == reader, token.expiresAt.map({ $0 > actor.now }) ?? true else {
                throw .refused(
                    .tokenUnknown,
                    "The session from which this identity was requested has ended. Sign in, and connect the identity again."
                )
            }
            let key = token.readerKey
            if let owner = try state.query(ProviderIdentityTable.find(identity.issuer, identity.subject, in: state.db)),
                owner.key == key
            {
                return CommandDecision([])
            }
            try state.demandFree(identity)
            try identitiesPerReaderMax.demandRoom(
                beside: state.query(ProviderIdentityTable.all(ofReader: key, in: state.db)).count)
            return CommandDecision(
                [ProviderIdentityTable.connection(of: identity, to: key, at: actor.now)],
                outcome: .account(of: reader, .updated))
        }
    }

    /// Disconnects an identity from the actor, unless it is their only way to sign in.
    package static func deleteIdentity(_ id: String) -> Command {
        Command { state, actor throws(RequestError) in
            let key = actor.reader.key
            let all = try state.query(ProviderIdentityTable.all(ofReader: key, in: state.db))
            guard let identity = all.first(where: { $0.id.utf8.elementsEqual(id.utf8) }) else { throw .notFound }
            let account = try state.query(AccountTable.find(ofReader: key, in: state.db))
            guard all.count > 1 || account?.password != nil else {
                throw .refused(
                    .lastWayIn, "This is your only way to sign in. Set a password first, or connect another identity.")
            }
            return CommandDecision(
                [ProviderIdentityTable.disconnection(of: identity, from: key)],
                outcome: .account(of: actor.reader.id, .deleted))
        }
    }
}
