import HTTPServer
import Model
import ObservableModels
import Store

/// Streams with names.
extension Streams {
    /// Opens a stream that a secret stands for, in place of the connection that has it.
    func open(
        _ stream: Model.Stream, _ said: String?, _ viewer: Viewer, _ request: borrowing Request,
        _ response: inout ResponseWriter
    ) throws(LecternError) -> Disposition {
        let opened = try desk.open(stream, stream.watch.entries, said, viewer, owner: service.owners.next())
        let disposition = try begin(opened.stream, opened.frames, request, &response)
        guard disposition == .stream else { return disposition }
        loop.setIdle(request.connection, seconds: Int(stream.heartbeat))
        named[stream.id] = request.connection
        return .stream
    }

    /// Opens a stream of URLs that are its names, which lasts as long as its connection.
    func open(
        _ urls: [String], _ said: String?, _ viewer: Viewer, _ request: borrowing Request,
        _ response: inout ResponseWriter
    ) throws(LecternError) -> Disposition {
        let ticket = try desk.ticket(of: request)?.id
        let opened = try desk.open(nil, WatchList(urls: urls).entries, said, viewer, owner: service.owners.next())
        if let ticket { opened.stream.keep(ticket) }
        return try begin(opened.stream, opened.frames, request, &response)
    }

    /// Changes of what a stream watches that wait for a client who is behind.
    private static let noticesMax = 16

    /// A stream has become another, or has ended.
    func hear(_ notice: StreamNotice) {
        service.leases.hear(notice)
        guard let id = named[notice.stream], let stream = opened[id] else { return }
        guard let value = notice.value else { return end(id, reason: "deleted") }
        guard value.revision > stream.notices.last?.value?.revision ?? stream.revision else { return }
        // Who does not read need not go through all that the stream was meanwhile.
        if stream.notices.count >= Self.noticesMax { stream.notices.removeLast() }
        stream.notices.append(notice)
        loop.setIdle(id, seconds: Int(value.heartbeat))
        models.stop(stream.subscription, after: notice.seq)
    }

    /// Ends a stream for good, which with names is told why.
    func end(_ id: ConnectionID, reason: StaticString) {
        if opened[id]?.subscription.style.isNamed ?? false { _ = loop.send(EventFrame.end(reason: reason), to: id) }
        close(id)
    }

    /// Another connection has the stream now.
    func giveUp(_ owner: UInt64) {
        guard let id = connections[owner] else { return }
        _ = loop.send(EventFrame.taken, to: id)
        close(id)
    }

    /// What follows when a stream has come to watch something else. A name that is told from before takes it back to there.
    func follow(switchOf id: ConnectionID) {
        guard let stream = opened[id] else { return }
        if stream.hasSwitched { announce(id) }
        stream.hasSwitched = false
        guard let target = stream.rewind, !stream.subscription.hasEnded else { return }
        stream.rewind = nil
        if models.rewind(stream.subscription, to: target) == .goOn { goOn(stream.subscription) }
    }
}

extension Desk {
    /// What opens a stream with names, and what is sent first: for a client that comes back, from its cursor on.
    func open(
        _ row: Model.Stream?, _ entries: [WatchList.Entry], _ said: String?, _ viewer: Viewer, owner: UInt64
    ) throws(LecternError) -> (stream: OpenStream, frames: [[UInt8]]) {
        let revision = row?.revision ?? 1
        var (cursor, reset): (StreamCursor?, String?)
        if let said { (cursor, reset) = try place(said, revision) }
        let beginning = try beginning(of: entries, by: viewer, knownTo: cursor, isKept: row != nil)
        let told = cursor?.seq ?? beginning.head
        let marks = CursorMarks(revision: cursor?.revision, viewsThrough: cursor?.viewsThrough)
        let new = entries.filter { entry in cursor.map { entry.revision > $0.revision } ?? true }.map(\.name)
        var frames = reset.map { [EventFrame.reset(reason: $0)] } ?? []
        let isOther = cursor?.revision != revision
        if isOther { frames.append(EventFrame.subscribed(new, revision: revision, at: beginning.head)) }
        frames += beginning.frames
        // What a name is told from before the place of the others moves nothing.
        let earliest = beginning.parts.lazy.map(\.since).min().map { min($0, told) } ?? told
        if earliest < told { marks.raiseFloor(to: told) }
        if isOther { marks.add(revision: revision, at: beginning.head) }
        let subscription = Subscription(
            owner: owner, viewer: viewer, style: .named(folds: row?.policy == .latest), beginning.parts,
            cursor: earliest, marks: marks)
        if isOther, earliest == told { subscription.identify(&frames, at: told, epoch) }
        return (OpenStream(subscription, beginning.sources, of: row), frames)
    }

    /// What a client's cursor is worth: without one all begins anew, for a reason where it sent one.
    private func place(_ said: String, _ revision: Int64) throws(LecternError) -> (StreamCursor?, reset: String?) {
        var cursor = StreamCursor(said)
        if cursor == nil, let id = LogCursor(said), id.parts == 0 {
            cursor = StreamCursor(epoch: id.epoch, seq: id.seq, revision: revision)
        }
        guard let cursor else { return (nil, "the cursor is no id of an event") }
        guard cursor.epoch == epoch else { return (nil, "the cursor is of another log") }
        guard try cursor.seq <= reads.head(), cursor.revision <= revision else {
            return (nil, "the cursor is ahead of the stream")
        }
        return (cursor, nil)
    }
}
