package import Model

extension Command {
    /// The maximum number of readers that one reader can block.
    static let blocksMax = CountLimit("blocksMax", 500) {
        "You block \($0) readers, which is the maximum. Unblock one first."
    }

    /// Hides another reader's notes from the actor in all clubs that the actor does not moderate. The other reader must
    /// be visible to the actor.
    package static func putBlock(_ reader: ResourceID) -> Command {
        Command { state, actor throws(RequestError) in
            let owner = actor.reader.key
            guard reader != actor.reader.id else {
                throw .violation("", "must not be yourself")
            }
            let old = try state.query(ReaderBlockTable.find(reader, by: owner, in: state.db))
            try actor.precondition.check(old)
            if let old { return CommandDecision([RowWrite<ReaderBlockTable>(before: old, after: old)]) }
            let blocked = try state.found(ReaderTable.find(reader, inSightOf: owner, in: state.db))
            try blocksMax.demandRoom(beside: state.query(ReaderBlockTable.rows.count(of: "owner", owner, in: state.db)))
            let block = ReaderBlock(of: blocked, by: actor.reader, createdAt: actor.now)
            return CommandDecision(
                [RowWrite<ReaderBlockTable>(before: nil, after: block)]
                    + (try state.hiding(true, of: blocked.key, from: owner)))
        }
    }

    /// Ends a block.
    package static func deleteBlock(_ reader: ResourceID) -> Command {
        Command { state, actor throws(RequestError) in
            let owner = actor.reader.key
            let old = try state.found(ReaderBlockTable.find(reader, by: owner, in: state.db))
            try actor.precondition.check(old)
            return CommandDecision(try state.unblocking(old))
        }
    }
}

extension WriteState {
    /// Returns the changes that end a block.
    func unblocking(_ block: ReaderBlock) throws(RequestError) -> [any CommandChange] {
        [RowWrite<ReaderBlockTable>(before: block, after: nil)]
            + (try hiding(false, of: block.readerKey, from: block.ownerKey))
    }
}
