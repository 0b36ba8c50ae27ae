package import Model

extension Command {
    /// Lets a reader not come in any more, or says another reason. Administrators may; there is always one who may come in. The
    /// reader's sessions and links end; other tokens are refused for as long as it lasts.
    package static func suspend(_ id: ResourceID, _ patch: MergePatch<Suspension>) -> Command {
        Command { state, asker throws(LecternError) in
            guard asker.viewer.role == .administrator else { throw .notFound }
            let reader = try state.found(ReaderTable.find(id, in: state.db))
            let old = try state.read(SuspensionTable.find(id, in: state.db))
            try asker.precondition.check(old)
            if old == nil { try state.demandAnotherAdministrator(than: reader) }
            let new = patch.applied(to: old ?? Suspension(of: reader, createdAt: asker.now))
            return Decision(
                [Write<SuspensionTable>(before: old, after: new)] + (try state.endOfWaysIn(of: reader)))
        }
    }

    /// Lets a reader come in again. Administrators may.
    package static func liftSuspension(of id: ResourceID) -> Command {
        Command { state, asker throws(LecternError) in
            guard asker.viewer.role == .administrator else { throw .notFound }
            let old = try state.found(SuspensionTable.find(id, in: state.db))
            try asker.precondition.check(old)
            return Decision([Write<SuspensionTable>(before: old, after: nil)])
        }
    }
}

extension WriteState {
    /// What opens the house to a reader, or by them to others, ends.
    fileprivate func endOfWaysIn(of reader: Reader) throws(LecternError) -> [any Proposal] {
        try endOfSessions(of: reader.key) + ending(LinkTable.self, LinkTable.all(maker: reader.key, in: db))
    }

    /// What follows where somebody is suspended by another house's word.
    func shuttingOut(_ reader: Reader) throws(LecternError) -> [any Proposal] {
        try demandAnotherAdministrator(than: reader)
        return try endOfWaysIn(of: reader)
    }

    /// Refuses who may not come in for now.
    func demandAdmission(of reader: Int64) throws(LecternError) {
        if try read(SuspensionTable.find(key: reader, in: db)) != nil { throw .readerSuspended }
    }
}

extension LecternError {
    package static let readerSuspended = LecternError.refused(
        .readerSuspended, "An administrator has suspended this reader: nobody comes in as them for now.")
}
