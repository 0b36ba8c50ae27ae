import HTTPServer
import Model
import ObservableModels
import Store

/// Named streams.
extension OpenStreams {
    /// The maximum number of stored revisions for a client that is behind.
    private static let streamChangesMax = 16

    /// Applies a stream's new revision, or its deletion.
    func receive(_ change: StreamRowChange) {
        service.leases.receive(change)
        guard let id = named[change.stream], let stream = opened[id] else { return }
        guard let value = change.value else { return end(id, reason: "deleted", .notFound) }
        guard value.revision > stream.streamChanges.last?.value?.revision ?? stream.revision else { return }
        // A client that does not read may skip intermediate revisions.
        if stream.streamChanges.count >= Self.streamChangesMax { stream.streamChanges.removeLast() }
        stream.streamChanges.append(change)
        loop.setIdle(id, seconds: Int(value.heartbeat))
        models.readLog(stream.subscription, after: change.seq)
    }

    /// Ends a stream for good, and sends the reason if it is a named one. A long poll is refused.
    func end(_ id: ConnectionID, reason: StaticString, _ refusal: RequestError) {
        guard let stream = opened[id] else { return }
        if stream.poll != nil {
            forget(id)
            loop.answer(id) { pipeline.refuse(refusal, &$0) }
            return
        }
        // A client that is gone, or does not read, receives nothing.
        if stream.subscription.isNamed { _ = loop.send(EventFrame.end(reason: reason), to: id) }
        close(id)
    }

    /// Closes a connection whose stream another connection has opened.
    func endForTakeover(_ id: ConnectionID) {
        guard opened[id] != nil else { return }
        // A client that is gone, or does not read, receives nothing.
        _ = loop.send(EventFrame.taken, to: id)
        close(id)
    }
}

extension RequestPipeline {
    /// Returns a named stream that is yet to begin, from its client's cursor if it reconnects.
    func stream(
        _ row: NamedStream, after given: String?, _ viewer: Viewer, on connection: ConnectionID
    ) throws(RequestError) -> OpenStream {
        let (revision, list) = (row.revision, row.watch)
        let nameHash = StreamCursor.nameHash(of: "\(row.id)")
        var (cursor, reset): (StreamCursor?, String?)
        if let given { (cursor, reset) = try place(given, of: nameHash, revision) }
        let subscription = Subscription(
            owner: connection.rawValue, viewer: viewer, [], cursor: cursor?.seq ?? 0,
            cursorState: StreamCursorState(of: nameHash, after: cursor, watching: list.entries.map(\.name)))
        let stream = OpenStream(subscription, of: row, after: given)
        let beginning = StreamBeginning(list.entries.map { PendingWatchedURL($0, after: cursor) })
        (beginning.revision, beginning.isNewRevision) = (revision, cursor?.revision != revision)
        beginning.reset = reset
        if beginning.isNewRevision {
            let new = list.entries.filter { $0.revision > cursor?.revision ?? 0 }
            beginning.frames.append(
                EventFrame.subscribed(new.map(\.name), revision: revision, at: try reads.head()))
        }
        stream.beginning = beginning
        return stream
    }

    /// Returns a client's cursor, or `nil` with the reason why it cannot be served.
    private func place(
        _ given: String, of nameHash: UInt32, _ revision: Int64
    ) throws(RequestError) -> (StreamCursor?, reset: String?) {
        var cursor = StreamCursor(given)
        if cursor == nil, let id = ChangeLogCursor(given), id.resourcesSent == 0 {
            cursor = StreamCursor(epoch: id.epoch, seq: id.seq, of: nameHash, revision: revision)
        }
        guard let cursor else { return (nil, "the cursor is not the id of an event") }
        guard cursor.epoch == epoch else { return (nil, "the cursor is from another log") }
        guard cursor.stream == nameHash else { return (nil, "the cursor is from another stream") }
        guard try cursor.seq <= reads.head(), cursor.revision <= revision else {
            return (nil, "the cursor is ahead of the stream")
        }
        guard try cursor.seq >= reads.floor() else { return (nil, "the cursor is older than the log") }
        return (cursor, nil)
    }
}
