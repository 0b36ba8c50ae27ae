package import Model

/// A session that is to be opened.
package struct NewSession: Sendable {
    let id: ResourceID
    /// The name of the device.
    let device: String
    /// The digest of the session's secret.
    let digest: SHA256Digest
    /// The digest of the secret of the browser's previous session, which ends.
    let replaced: SHA256Digest?

    package init(id: ResourceID, device: String, _ digest: SHA256Digest, replacing replaced: SHA256Digest? = nil) {
        (self.id, self.device, self.digest, self.replaced) = (id, device, digest, replaced)
    }
}

extension Command {
    /// The maximum number of sessions of one reader. A further one ends the session that was not used for longest.
    static let sessionsPerReaderMax = 100

    /// Opens a session for a reader who was authenticated in another way. The server issues the command.
    package static func openSession(_ session: NewSession, of reader: ResourceID) -> Command {
        Command { state, actor throws(RequestError) in
            let reader = try state.found(ReaderTable.find(reader, in: state.db))
            let opening = try state.opening(session, of: (reader.id, reader.key), at: actor.now)
            return CommandDecision(opening, subject: opening.count - 1)
        }
    }

    /// Opens a session for a reader whose password was verified. Throws if the password was changed since it was looked
    /// up. `renewed` is a new hash of the same password.
    package static func openSession(
        _ session: NewSession, of account: Account, renewing renewed: String? = nil
    ) -> Command {
        let open = openSession(session, of: account.reader)
        return Command { state, actor throws(RequestError) in
            let now = try state.query(AccountTable.find(ofReader: account.readerKey, in: state.db))
            guard let now, now.hasSamePassword(as: account) else { throw .signInRefused }
            let opening = try open.decide(state, actor)
            guard let renewed else { return opening }
            let writes = AccountTable.writes(
                ofReader: account.readerKey, name: nil, password: renewed, passwordAt: now.passwordAt)
            return CommandDecision(opening.changes + writes, subject: opening.subject)
        }
    }

    /// Opens a session for the reader of a sign-in link, which is used up. The server issues the command.
    package static func openSession(_ session: NewSession, by link: SHA256Digest) -> Command {
        Command { state, actor throws(RequestError) in
            let link = try state.link(link, .signin, at: actor.now)
            guard let reader = link.reader, let key = link.readerKey else { throw .linkClosed }
            let opening = try state.opening(session, of: (reader, key), at: actor.now)
            return CommandDecision(
                [RowWrite<OneTimeLinkTable>(before: link, after: nil)] + opening, subject: opening.count)
        }
    }

    /// Ends all sessions of the actor.
    package static let endSessions = Command { state, actor throws(RequestError) in
        CommandDecision(try state.endOfSessions(of: actor.reader.key))
    }
}

extension WriteState {
    /// Returns the changes that open a session. The last one creates the session; those before it end the given tokens
    /// and the browser's previous session, or else the session that was not used for longest if there are too many.
    func opening(
        _ session: NewSession, of reader: RowReference, ending tokens: [Token] = [], at now: Instant
    ) throws(RequestError) -> [any CommandChange] {
        try demandAdmission(of: reader.key)
        let earlier = try session.replaced.flatMap { digest throws(RequestError) in
            try query(TokenTable.session(digest, in: db))
        }
        var ends = tokens
        if let earlier, !tokens.contains(where: { $0.id == earlier.id }) { ends.append(earlier) }
        let others = try query(TokenTable.sessions(ofReader: reader.key, in: db)).filter { $0.id != earlier?.id }
        if tokens.isEmpty, others.count >= Command.sessionsPerReaderMax {
            let oldest = others.min { ($0.lastUsedOn?.number ?? 0, $0.key) < ($1.lastUsedOn?.number ?? 0, $1.key) }
            if let oldest { ends.append(oldest) }
        }
        var token = Token(session: session.id, reader: reader, device: session.device, createdAt: now)
        token.digest = session.digest
        return TokenTable.deletions(of: ends) + [RowWrite<TokenTable>(before: nil, after: token)]
    }

    /// Returns the changes that end all sessions of a reader.
    func endOfSessions(of reader: Int64) throws(RequestError) -> [any CommandChange] {
        try ending(TokenTable.self, TokenTable.sessions(ofReader: reader, in: db))
    }
}

extension Account {
    /// Returns a Boolean value indicating whether the passwords' hashes are equal as bytes.
    func hasSamePassword(as other: Account) -> Bool {
        guard let password, let known = other.password else { return false }
        return password.utf8.elementsEqual(known.utf8)
    }
}

extension RequestError {
    /// The error for any failed sign-in. It has one text for all causes, so guessing reveals nothing.
    package static let signInRefused = RequestError.refused(
        .signInRefused, "The name or the password is wrong, or the account does not exist.")
}
