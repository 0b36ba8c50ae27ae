import JSON
package import Model

/// Who is let in as a reader without an administrator who makes them one.
package enum RegistrationMode: String, Sendable, CaseIterable {
    case closed
    /// Who has a link.
    case invited
    case open
}

/// The readers who may create registration links.
package enum LinkMakers: String, Sendable, CaseIterable {
    case administrators
    /// Also readers, into clubs that they moderate or own; never one whose account is managed.
    case readers

    /// Whether a link of that reader's registers people.
    func include(_ reader: Reader) -> Bool {
        reader.role == .administrator || self == .readers && reader.guardian == nil
    }
}

/// Who can register, and whose links allow it.
package struct RegistrationPolicy: Sendable {
    package var mode: RegistrationMode
    package var linkMakers: LinkMakers

    package init(_ mode: RegistrationMode, linksBy linkMakers: LinkMakers = .administrators) {
        (self.mode, self.linkMakers) = (mode, linkMakers)
    }
}

/// What the writer calls of somebody who is about to become a reader: with an invitation, or without one, who may be refused.
package typealias Welcome = @Sendable (_ isInvited: Bool) throws(LecternError) -> Void

/// Somebody who becomes a reader.
package struct Registration: Sendable {
    /// What the reader is called.
    let name: String
    /// The name that they sign in by, and the hash of the password; nil for who signs in by an identity only.
    let account: (name: SignInName, password: String)?
    /// Who another house says that they are.
    let identity: (issuer: String, subject: String)?
    /// Of the secret of the invitation.
    let link: Digest?
    let session: NewSession

    package init(
        name: String, account: (name: SignInName, password: String)? = nil,
        identity: (issuer: String, subject: String)? = nil, link: Digest?, session: NewSession
    ) {
        (self.name, self.account, self.identity, self.link) = (name, account, identity, link)
        self.session = session
    }
}

extension Command {
    /// Makes a reader, with a way to sign in, and a session. The invitation is used up, and with its club they come to the club. The
    /// house asks for it; the answer is about the session.
    package static func register(
        _ registration: Registration, _ policy: RegistrationPolicy, welcome: @escaping Welcome = { _ in }
    ) -> Command {
        Command { state, asker throws(LecternError) in
            let link = try state.admitting(registration.link, policy, at: asker.now)
            var reader = Reader(id: asker.newID, name: registration.name, role: .reader, createdAt: asker.now)
            reader.key = try state.read(ReaderTable.nextKey(in: state.db))
            let own = (id: reader.id, key: reader.key)
            var proposals: [any Proposal] = [Write<ReaderTable>(before: nil, after: reader)]
            if let account = registration.account {
                try state.demandFree(account.name)
                proposals.append(
                    AccountWrite(
                        reader: own, name: account.name, password: account.password, passwordAt: asker.now))
            }
            if let identity = registration.identity {
                try state.demandFree(identity)
                proposals.append(
                    IdentityWrite(
                        issuer: identity.issuer, subject: identity.subject, reader: own, createdAt: asker.now))
            }
            if let link {
                proposals.append(Write<LinkTable>(before: link, after: nil))
                proposals += try state.coming(of: reader, by: link, at: asker.now)
            }
            proposals += try state.opening(registration.session, of: own, at: asker.now)
            try welcome(link != nil)
            return Decision(proposals, subject: proposals.count - 1)
        }
    }
}

extension WriteState {
    /// The invitation that lets somebody in; nil for who needs none and has none.
    fileprivate func admitting(
        _ digest: Digest?, _ policy: RegistrationPolicy, at now: Instant
    ) throws(LecternError) -> Link? {
        guard policy.mode != .closed else { throw .registrationClosed }
        guard let digest else {
            guard policy.mode == .open else { throw .invalid([Violation(pointer: "/link", detail: "is required")]) }
            return nil
        }
        return try link(digest, .invitation, by: policy.linkMakers, at: now)
    }

    /// What a reader who is being made brings to the club that the link is into: they have read nothing, and say nothing of what they
    /// share, so it is the member, and that they are told.
    fileprivate func coming(
        of reader: Reader, by link: Link, at now: Instant
    ) throws(LecternError) -> [any Proposal] {
        guard let club = link.club, let clubKey = link.clubKey else { return [] }
        var member = Member(
            club: (club, clubKey), reader: (reader.id, reader.key), name: reader.name, role: .member,
            createdAt: now)
        if let whole = try read(ClubTable.find(key: clubKey, in: db)) {
            member.share(asIn: whole, settings: Settings.usualShareLevel)
        }
        return [
            Write<MemberTable>(before: nil, after: member),
            TellReader(of: .created, club: club, reader: reader.key),
        ]
    }

    /// Refuses a name that another reader has.
    func demandFree(_ name: SignInName, for reader: Int64? = nil) throws(LecternError) {
        if let there = try read(AccountTable.find(name, in: db)), there.readerKey != reader {
            throw .nameTaken
        }
    }
}

extension LecternError {
    static let nameTaken = LecternError.refused(
        .nameTaken, "Somebody signs in by that name, or by one that looks alike. Choose another.")
    package static let registrationClosed = LecternError.refused(
        .registrationClosed, "Nobody becomes a reader here but by an administrator, who makes them one.")
}
