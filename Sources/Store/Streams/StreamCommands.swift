package import JSON
package import Model

extension Command {
    /// Streams of one reader.
    static let streamsPerReaderMax = 100

    /// Makes a stream under an id, whose secret has that digest. Every reader may.
    package static func createStream(_ id: ResourceID, _ patch: StreamPatch, _ digest: Digest) -> Command {
        Command { state, asker throws(LecternError) in
            let count = try state.read(StreamTable.count(ofReader: asker.reader.key, in: state.db))
            guard count < streamsPerReaderMax else {
                throw .limitReached(
                    limit: "streamsPerReaderMax", max: streamsPerReaderMax,
                    "You have \(streamsPerReaderMax) streams, which is the maximum. Delete one first, or wait until its lease expires."
                )
            }
            let stream = Model.Stream(id: id, of: asker.viewer, digest: digest, createdAt: asker.now)
            return Decision([StreamWrite(before: nil, after: try patch.applied(to: stream, revision: 1))])
        }
    }

    /// Changes what a stream watches, and how. Its reader may.
    package static func patchStream(_ id: ResourceID, _ body: JSONValue) -> Command {
        Command { state, asker throws(LecternError) in
            let old = try state.stream(id, of: asker)
            try asker.precondition.check(old)
            let patch = try StreamPatch(body, form: .patch, debounce: old.debounce)
            return Decision([StreamWrite(before: old, after: try patch.applied(to: old, revision: old.revision + 1))])
        }
    }

    /// Ends a stream. Its reader may.
    package static func deleteStream(_ id: ResourceID) -> Command {
        Command { state, asker throws(LecternError) in
            let stream = try state.stream(id, of: asker)
            try asker.precondition.check(stream)
            return Decision([StreamWrite(before: stream, after: nil)])
        }
    }

    /// Takes streams away that nobody came back to.
    package static func endStreams(_ ids: [ResourceID]) -> Command {
        Command { state, _ throws(LecternError) in
            var ends: [any Proposal] = []
            for id in ids {
                guard let stream = try state.read(StreamTable.find(id, in: state.db)) else { continue }
                ends.append(StreamWrite(before: stream, after: nil))
            }
            return Decision(ends)
        }
    }
}

extension WriteState {
    /// A stream of the asker's own; everybody else's are not found. Who may only read changes those of their own token.
    fileprivate func stream(_ id: ResourceID, of asker: Asker) throws(LecternError) -> Model.Stream {
        let stream = try found(StreamTable.find(id, in: db)) { $0.readerKey == asker.reader.key }
        guard asker.viewer.access == .write || stream.token == asker.viewer.token else {
            throw .refused(
                .readOnlyToken, "Another token created the stream. Changing it needs a token with the scope write.")
        }
        return stream
    }
}
