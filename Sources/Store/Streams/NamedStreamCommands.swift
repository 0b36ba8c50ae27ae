package import JSON
package import Model

extension Command {
    /// The maximum number of streams of one reader.
    static let streamsPerReaderMax = CountLimit("streamsPerReaderMax", 100) {
        "You have \($0) streams, which is the maximum. Delete one first, or wait until its lease expires."
    }

    /// Creates a stream with an id and the digest of its secret. Any reader may.
    package static func createStream(_ id: ResourceID, _ patch: NamedStreamPatch, _ digest: SHA256Digest) -> Command {
        Command { state, actor throws(RequestError) in
            let count = try state.query(NamedStreamTable.rows.count(of: "reader", actor.reader.key, in: state.db))
            try streamsPerReaderMax.demandRoom(beside: count)
            let stream = NamedStream(id: id, of: actor.viewer, digest: digest, createdAt: actor.now)
            return CommandDecision([StreamWrite(before: nil, after: try patch.applied(to: stream, revision: 1))])
        }
    }

    /// Changes a stream's subscriptions and options. Only its reader may.
    package static func updateStream(_ id: ResourceID, _ body: JSONValue) -> Command {
        Command { state, actor throws(RequestError) in
            let old = try state.stream(id, of: actor)
            try actor.precondition.check(old)
            let patch = try NamedStreamPatch(body, form: .patch, debounce: old.debounce)
            return CommandDecision([
                StreamWrite(before: old, after: try patch.applied(to: old, revision: old.revision + 1))
            ])
        }
    }

    /// Deletes a stream. Only its reader may.
    package static func deleteStream(_ id: ResourceID) -> Command {
        Command { state, actor throws(RequestError) in
            let stream = try state.stream(id, of: actor)
            try actor.precondition.check(stream)
            return CommandDecision([StreamWrite(before: stream, after: nil)])
        }
    }

    /// Deletes streams whose lease has ended.
    package static func endStreams(_ ids: [ResourceID]) -> Command {
        Command { state, _ throws(RequestError) in
            var ends: [any CommandChange] = []
            for id in ids {
                guard let stream = try state.query(NamedStreamTable.find(id, in: state.db)) else { continue }
                ends.append(StreamWrite(before: stream, after: nil))
            }
            return CommandDecision(ends)
        }
    }
}

extension WriteState {
    /// Returns a stream of the actor. With read access the actor can change only streams of the same token.
    fileprivate func stream(_ id: ResourceID, of actor: CommandActor) throws(RequestError) -> NamedStream {
        let stream = try found(NamedStreamTable.find(id, in: db)) { $0.readerKey == actor.reader.key }
        guard actor.viewer.access == .write || stream.token == actor.viewer.token else {
            throw .refused(
                .readOnlyToken, "Another token created the stream. Changing it needs a token with the scope write.")
        }
        return stream
    }
}
