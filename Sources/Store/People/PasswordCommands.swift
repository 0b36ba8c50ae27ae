package import Model

extension Command {
    /// Sets a reader's password hash with a reset link. The link and all other resets of the reader are used up, their
    /// sessions end, and a new one is opened. `name` sets the sign-in name of a reader without one. `endsAll` also ends
    /// everything else that gives access to the reader's account or data. The server issues the command.
    package static func resetPassword(
        by link: SHA256Digest, to password: String, name: SignInName?, endsAll: Bool = false, _ session: NewSession
    ) -> Command {
        Command { state, actor throws(RequestError) in
            let link = try state.link(link, .reset, at: actor.now)
            let reader = try state.found(ReaderTable.find(key: link.readerKey ?? 0, in: state.db))
            let own = (id: reader.id, key: reader.key)
            let writes = try state.password(password, name: name, of: own, at: actor.now)
            let tokens = try state.query(
                endsAll
                    ? TokenTable.all(of: "reader", own.key, in: state.db)
                    : TokenTable.sessions(ofReader: own.key, in: state.db))
            let ends =
                try endsAll
                ? state.endOfOtherWaysIn(of: own)
                : state.ending(OneTimeLinkTable.self, OneTimeLinkTable.all(of: "reader", own.key, in: state.db))
            let opening = try state.opening(session, of: own, ending: tokens, at: actor.now)
            let changes: [any CommandChange] = writes + ends + opening
            return CommandDecision(changes, subject: changes.count - 1)
        }
    }

    /// Replaces the actor's password hash `known`, which was verified before. Their sessions end, and one that sent the
    /// request is replaced by a new one.
    package static func putPassword(
        to password: String, name: SignInName?, from known: String?, _ session: NewSession?
    ) -> Command {
        Command { state, actor throws(RequestError) in
            let own = actor.reader
            let account = try state.query(AccountTable.find(ofReader: own.key, in: state.db))
            guard account?.password.map({ Array($0.utf8) }) == known.map({ Array($0.utf8) }) else {
                throw .violation("/current", "is not your password")
            }
            let writes = try state.password(password, name: name, of: own, at: actor.now)
            // Anyone who knew the old password may have created a reset link.
            let changes =
                try writes
                + state.ending(OneTimeLinkTable.self, OneTimeLinkTable.all(of: "reader", own.key, in: state.db))
            let sessions = try state.query(TokenTable.sessions(ofReader: own.key, in: state.db))
            guard let session else {
                return CommandDecision(
                    changes + TokenTable.deletions(of: sessions), outcome: .account(of: own.id, .updated))
            }
            let opening = try state.opening(session, of: own, ending: sessions, at: actor.now)
            return CommandDecision(changes + opening, subject: changes.count + opening.count - 1)
        }
    }
}

extension WriteState {
    fileprivate func password(
        _ password: String, name: SignInName?, of reader: RowReference, at now: Instant
    ) throws(RequestError) -> [any CommandChange] {
        let account = try query(AccountTable.find(ofReader: reader.key, in: db))
        if account == nil, name == nil {
            throw .violation("/name", "is required: the account has no sign-in name")
        }
        if let name { try demandFree(name, for: reader.key) }
        return AccountTable.writes(ofReader: reader.key, name: name, password: password, passwordAt: now)
    }

    /// Returns the changes that end all access that a person with a reader's session may have created besides tokens:
    /// identities, links and calendar addresses.
    fileprivate func endOfOtherWaysIn(of reader: RowReference) throws(RequestError)
        -> [any CommandChange]
    {
        let identities = try query(ProviderIdentityTable.all(ofReader: reader.key, in: db))
        var ends = try ending(OneTimeLinkTable.self, OneTimeLinkTable.all(byOrFor: reader.key, in: db))
        ends += identities.map { ProviderIdentityTable.disconnection(of: $0, from: reader.key) }
        for member in try query(MemberTable.all(of: "reader", reader.key, in: db)) {
            ends += try ending(CalendarAddressTable.self, CalendarAddressTable.all(of: "member", member.key, in: db))
        }
        return ends
    }
}

extension ReadConnection {
    /// Throws unless registration is possible, to avoid hashing a password in vain. The command checks again.
    package func demandAdmission(
        _ link: SHA256Digest?, _ mode: RegistrationMode, at now: Instant
    ) throws(RequestError) {
        try mode.demandLink(link)
        if let link { try openLink(link, .invitation, at: now) }
    }

    /// Returns the names that the reader's password must not be: the reader's name and sign-in name, and those of their
    /// clubs.
    package func names(of reader: Int64) throws(RequestError) -> [String] {
        try query(
            db.statement(
                """
                SELECT name FROM readers WHERE key = ?1 UNION SELECT name FROM accounts WHERE reader = ?1
                UNION SELECT clubs.name FROM members JOIN clubs ON clubs.key = members.club WHERE members.reader = ?1
                """
            ).bind(reader).all { $0.text(0) })
    }

    /// Returns the name of the club of a link.
    package func clubNames(of link: SHA256Digest) throws(RequestError) -> [String] {
        try query(
            db.statement(
                "SELECT clubs.name FROM links JOIN clubs ON clubs.key = links.club WHERE links.digest = ?1"
            ).bind(link).all { $0.text(0) })
    }

    /// Returns the reader of a password reset link. Throws unless it can be used.
    package func demandReset(_ link: SHA256Digest, named name: SignInName?, at now: Instant) throws(RequestError)
        -> Int64
    {
        let reader = try openLink(link, .reset, at: now).readerKey ?? 0
        if name == nil, try account(of: reader) == nil {
            throw .violation("/name", "is required: the account has no sign-in name")
        }
        return reader
    }

    /// Throws if another reader has the sign-in name.
    package func demandFree(_ name: SignInName, for reader: Int64? = nil) throws(RequestError) {
        if let there = try account(named: name), there.readerKey != reader { throw .nameTaken }
    }

    /// Returns a link that can be used for a purpose, to avoid work in vain. The command checks again.
    @discardableResult
    package func openLink(
        _ digest: SHA256Digest, _ purpose: OneTimeLinkPurpose, at now: Instant
    ) throws(RequestError) -> OneTimeLink {
        guard let link = try query(OneTimeLinkTable.all(of: "digest", digest, in: db).first), link.purpose == purpose,
            now < link.expiresAt
        else { throw .linkClosed }
        return link
    }
}
