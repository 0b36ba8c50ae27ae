package import Model

extension Command {
    /// The maximum number of open reports of one reader.
    static let openReportsMax = CountLimit("openReportsMax", 20) {
        "You have \($0) open reports, which is the maximum. Wait until some are decided."
    }

    /// Creates a report of a resource that the actor sees and does not own. A repeated report returns the earlier one,
    /// unless the resource has changed since that one was closed.
    package static func createReport(_ draft: ContentReportDraft) -> Command {
        Command { state, actor throws(RequestError) in
            let reporter = actor.reader
            let reported = try state.reported(draft, actor)
            if let last = try state.query(
                ContentReportTable.last(by: reporter.key, about: draft.subject, in: state.db)),
                last.outcome == nil || last.copy.map({ $0.utf8.elementsEqual(reported.copy.utf8) }) ?? false
            {
                return CommandDecision([RowWrite<ContentReportTable>(before: last, after: last)])
            }
            try openReportsMax.demandRoom(
                beside: state.query(ContentReportTable.countOpen(by: reporter.key, in: state.db)))
            let report = ContentReport(
                id: actor.newID, draft, by: reporter, author: reported.author, club: reported.club,
                copy: reported.copy, createdAt: actor.now)
            return CommandDecision([RowWrite<ContentReportTable>(before: nil, after: report)])
        }
    }

    /// Closes a report permanently. Administrators may, and moderators of its club, but nobody may close a report about
    /// themselves.
    package static func updateReport(_ id: ResourceID, _ decision: ContentReportDecision) -> Command {
        Command { state, actor throws(RequestError) in
            let viewer = actor.viewer
            guard let old = try state.query(ContentReportTable.find(id, for: viewer, toDecide: true, in: state.db))
            else {
                _ = try state.found(ContentReportTable.find(id, for: viewer, in: state.db))
                throw .refused(.roleMissing, "Only administrators, and in a club its moderators, decide reports.")
            }
            // The response must not show words that the viewer may not see yet.
            let shown = try state.query(ContentReportTable.shown(old, to: viewer, in: state.db))
            try actor.precondition.check(shown)
            var new = old
            new.close(decision, by: actor.reader.key)
            guard old.outcome == nil || new.encoded() == old.encoded() else {
                throw .taken(
                    .reportClosed, "The report is closed, and cannot be changed.", CurrentResourceState(of: shown))
            }
            guard old.outcome == nil else {
                return CommandDecision([RowWrite<ContentReportTable>(before: shown, after: shown)])
            }
            return CommandDecision([ContentReportClosing(before: old, after: new, viewer: viewer)])
        }
    }
}

extension WriteState {
    /// Returns the reported resource as it is now, or throws `notFound` if the actor does not see it.
    fileprivate func reported(_ draft: ContentReportDraft, _ actor: CommandActor) throws(RequestError)
        -> (author: ResourceID?, club: ResourceID?, copy: String)
    {
        let (id, reader) = (draft.subject, actor.reader.key)
        switch draft.about {
        case .note:
            let note = try note(id, actor)
            try demandOther(than: actor, note.authorKey)
            let copy = note.body + (note.quote.map { "\n\n" + $0 } ?? "")
            return (note.isNameless ? nil : note.author, note.club, copy)
        case .shelf:
            let shelf = try found(ShelfTable.find(id, seenBy: reader, in: db))
            try demandOther(than: actor, shelf.readerKey)
            return (shelf.reader, shelf.club, shelf.name)
        case .reader:
            try demandOther(than: actor, id == actor.reader.id ? reader : 0)
            let other = try found(ReaderTable.find(id, inSightOf: reader, in: db))
            return (other.id, nil, other.name)
        case .club:
            let club = try found(ClubTable.find(id, in: db))
            let isMember = try query(MemberTable.find(reader: reader, club: club.key, in: db)) != nil
            guard isMember || club.visibility == .listed else { throw .notFound }
            return (nil, nil, club.name + (club.description.map { "\n\n" + $0 } ?? ""))
        }
    }

    private func demandOther(than actor: CommandActor, _ author: Int64) throws(RequestError) {
        guard author != actor.reader.key else {
            throw .violation("/subject", "is your own")
        }
    }
}
