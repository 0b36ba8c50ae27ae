package import Model

extension Command {
    /// The maximum number of unused links of one maker.
    static let linksPerMakerMax = CountLimit("linksPerMakerMax", 100) {
        "You have \($0) unused links, which is the maximum. Delete one first."
    }

    /// Creates a link with the digest of its secret. Administrators may. If the policy allows it, readers who may
    /// invite into a club create invitations to it.
    package static func createLink(_ draft: OneTimeLinkDraft, _ policy: RegistrationPolicy, _ digest: SHA256Digest)
        -> Command
    {
        Command { state, actor throws(RequestError) in
            if draft.kind == .invitation, policy.mode == .closed { throw .registrationClosed }
            var club: RowReference?
            if let wanted = draft.club {
                let found = try state.openClub(wanted, actor, .invite).0
                club = (found.id, found.key)
                try state.demandMaker(actor, policy.linkMakers, ofClub: found.id)
            } else if actor.viewer.role != .administrator {
                throw .refused(
                    .administratorsOnly,
                    "Only administrators create links of this kind. Moderators and owners of a club create invitations to it."
                )
            }
            var reader: RowReference?
            if let wanted = draft.reader {
                // Otherwise a temporary token could give permanent access.
                guard actor.viewer.expiresAt == nil else {
                    throw .refused(
                        .tokenEnds,
                        "A token that expires cannot create a link that gives a reader permanent access.")
                }
                guard let found = try state.query(ReaderTable.find(wanted, in: state.db)) else {
                    throw .violation("/reader", "there is no such reader")
                }
                reader = (found.id, found.key)
            }
            let link = OneTimeLink(
                id: actor.newID, draft.kind, reader: reader, club: club, maker: actor.reader,
                expiresAt: draft.expiresAt, digest: digest, createdAt: actor.now)
            let ended = try state.room(
                in: OneTimeLinkTable.self, of: "maker", actor.reader.key, linksPerMakerMax, at: actor.now
            ) { $0.expiresAt }
            return CommandDecision(ended + [RowWrite<OneTimeLinkTable>(before: nil, after: link)], subject: ended.count)
        }
    }

    /// Deletes a link. Its maker may, and administrators.
    package static func deleteLink(_ id: ResourceID) -> Command {
        deletion(OneTimeLinkTable.self) { state, actor throws(RequestError) in
            try state.found(OneTimeLinkTable.find(id, in: state.db)) {
                actor.viewer.role == .administrator || $0.makerKey == actor.reader.key
            }
        }
    }
}

extension WriteState {
    /// Throws if the policy does not let the actor create registration links.
    fileprivate func demandMaker(_ actor: CommandActor, _ makers: RegistrationLinkCreators, ofClub club: ResourceID)
        throws(RequestError)
    {
        let maker = try found(ReaderTable.find(key: actor.reader.key, in: db))
        guard !makers.include(maker) else { return }
        let reason =
            maker.guardian != nil
            ? "Your account is managed: it cannot create registration links."
            : "Only administrators create registration links here (--registration-links)."
        throw .refused(
            .administratorsOnly,
            "\(reason) To invite readers who have an account, use POST /v1/clubs/\(club)/invitations.")
    }

    /// Returns the valid link with that digest: see `OneTimeLinkTable.valid`. All others throw the same error.
    func link(
        _ digest: SHA256Digest, _ purpose: OneTimeLinkPurpose, by makers: RegistrationLinkCreators = .administrators,
        at now: Instant
    ) throws(RequestError) -> OneTimeLink {
        guard let link = try query(OneTimeLinkTable.valid(digest, by: makers, at: now, in: db)), link.purpose == purpose
        else { throw .linkClosed }
        return link
    }
}

extension RequestError {
    static let linkClosed = RequestError.violation(
        "/link",
        "is not a valid link: it was used, has expired, is for something else, or its maker may not create it now. Ask for a new one"
    )
}
