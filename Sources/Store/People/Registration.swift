package import Model

/// The ways to become a reader without being created by an administrator.
package enum RegistrationMode: String, Sendable, CaseIterable {
    case closed
    /// People can register only with a link.
    case invited
    case open

    /// Throws if registration is closed, or needs a link and there is none.
    func demandLink(_ digest: SHA256Digest?) throws(RequestError) {
        guard self != .closed else { throw .registrationClosed }
        guard self == .open || digest != nil else { throw .violation("/link", "is required") }
    }
}

/// The readers who may create registration links.
package enum RegistrationLinkCreators: String, Sendable, CaseIterable {
    case administrators
    /// Administrators, and readers for clubs that they moderate or own, except managed accounts.
    case readers

    /// Returns a Boolean value indicating whether links of that reader can register people.
    func include(_ reader: Reader) -> Bool {
        reader.role == .administrator || self == .readers && reader.guardian == nil
    }
}

/// The registration mode and the readers whose links are accepted.
package struct RegistrationPolicy: Sendable {
    package var mode: RegistrationMode
    package var linkMakers: RegistrationLinkCreators

    package init(_ mode: RegistrationMode, linksBy linkMakers: RegistrationLinkCreators = .administrators) {
        (self.mode, self.linkMakers) = (mode, linkMakers)
    }
}

/// A function that the writer calls before it registers a reader, with or without an invitation. It can throw to
/// refuse.
package typealias RegistrationCheck = @Sendable (_ isInvited: Bool) throws(RequestError) -> Void

extension Command {
    /// Creates a reader with a way to sign in, and a session. The invitation is used up, and the reader joins its club.
    /// The server issues the command; its outcome is the session.
    ///
    /// - Parameters:
    ///   - account: The sign-in name and the hash of the password, or `nil` for a reader who signs in only with an
    ///     identity.
    ///   - link: The digest of the invitation's secret.
    package static func register(
        named name: String, account: (name: SignInName, password: String)? = nil,
        identity: (issuer: String, subject: String)? = nil, link: SHA256Digest?, _ session: NewSession,
        _ policy: RegistrationPolicy, registrationCheck: @escaping RegistrationCheck = { _ in }
    ) -> Command {
        Command { state, actor throws(RequestError) in
            let link = try state.admitting(link, policy, at: actor.now)
            var reader = Reader(id: actor.newID, name: name, role: .reader, createdAt: actor.now)
            reader.key = try state.query(ReaderTable.rows.nextKey(in: state.db))
            let own = (id: reader.id, key: reader.key)
            var changes: [any CommandChange] = [RowWrite<ReaderTable>(before: nil, after: reader)]
            if let account {
                try state.demandFree(account.name)
                changes += AccountTable.writes(
                    ofReader: own.key, name: account.name, password: account.password, passwordAt: actor.now)
            }
            if let identity {
                try state.demandFree(identity)
                changes.append(ProviderIdentityTable.connection(of: identity, to: own.key, at: actor.now))
            }
            if let link {
                changes.append(RowWrite<OneTimeLinkTable>(before: link, after: nil))
                if let club = try state.query(ClubTable.find(key: link.clubKey ?? 0, in: state.db)) {
                    let coming = try state.joining(of: own, named: reader.name, to: club, at: actor.now)
                    changes += coming.member + coming.after
                }
            }
            changes += try state.opening(session, of: own, at: actor.now)
            try registrationCheck(link != nil)
            return CommandDecision(changes, subject: changes.count - 1)
        }
    }
}

extension WriteState {
    /// Returns the invitation of a registration, or `nil` if there is none and none is required.
    fileprivate func admitting(
        _ digest: SHA256Digest?, _ policy: RegistrationPolicy, at now: Instant
    ) throws(RequestError) -> OneTimeLink? {
        try policy.mode.demandLink(digest)
        return try digest.flatMap { digest throws(RequestError) in
            try link(digest, .invitation, by: policy.linkMakers, at: now)
        }
    }

    /// Throws if another reader has the sign-in name.
    func demandFree(_ name: SignInName, for reader: Int64? = nil) throws(RequestError) {
        if let there = try query(AccountTable.find(name, in: db)), there.readerKey != reader {
            throw .nameTaken
        }
    }
}

extension RequestError {
    static let nameTaken = RequestError.refused(
        .nameTaken, "The name, or one that looks like it, is taken. Choose another one.")
    package static let registrationClosed = RequestError.refused(
        .registrationClosed, "Only administrators add readers to this server, with POST /v1/readers.")
}
