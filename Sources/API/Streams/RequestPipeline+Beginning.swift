import Model
import ObservableModels
import Store

/// The first frames of a stream's URLs when it is opened, reopened, switched or caught up.
extension RequestPipeline {
    /// Begins the next URLs of a stream, for as long as one turn may take, each in a read of its own. Each URL has its
    /// own place in the log, so that a commit between two of them is neither missed nor sent twice.
    func begin(_ stream: OpenStream) throws(RequestError) -> ReplayPage {
        let cursor = stream.subscription.state.cursor
        guard let beginning = stream.beginning else {
            return ReplayPage([], through: cursor, hasPendingWork: stream.hasPendingWork)
        }
        let end = ContinuousClock.now + turnMax
        if stream.subscription.urls.isEmpty { stream.subscription.urls.reserveCapacity(beginning.urls.count) }
        var frames = beginning.frames
        if let reason = beginning.reset {
            models.counters.resets += 1
            frames.insert(EventFrame.reset(reason: reason), at: 0)
        }
        (beginning.frames, beginning.reset) = ([], nil)
        while beginning.begun < beginning.urls.count {
            frames += try begin(beginning.urls[beginning.begun], of: stream, beginning)
            beginning.begun += 1
            if ContinuousClock.now >= end { break }
        }
        guard beginning.begun == beginning.urls.count else {
            return ReplayPage(frames, through: cursor, hasPendingWork: true)
        }
        let target = try place(of: stream)
        stream.beginning = nil
        stream.hasBegun = true
        if let cursorState = stream.subscription.cursorState {
            // Events replayed for some names do not advance the cursor until they reach the position of the others.
            if target < cursor { cursorState.raiseFloor(to: cursor) }
            if beginning.isNewRevision || !beginning.revived.isEmpty {
                cursorState.add(
                    revision: beginning.revision, reviving: beginning.revived, at: max(beginning.through, cursor))
            }
            stream.subscription.identify(&frames, at: target, epoch)
        }
        return ReplayPage(
            frames, through: target, resourcesSent: beginning.resourcesSent,
            hasPendingWork: !stream.streamChanges.isEmpty)
    }

    /// Returns the place from which a stream continues when all its URLs have begun: that of the URL furthest behind.
    private func place(of stream: OpenStream) throws(RequestError) -> Int64 {
        let subscription = stream.subscription
        if let seq = subscription.urls.lazy.filter({ !$0.isOver }).map(\.since).min() { return seq }
        return subscription.state.cursor > 0 ? subscription.state.cursor : try reads.head()
    }

    private func begin(
        _ url: PendingWatchedURL, of stream: OpenStream, _ beginning: StreamBeginning
    ) throws(RequestError) -> [[UInt8]] {
        let index = stream.subscription.urls.firstIndex { $0.name == url.name }
        do throws(RequestError) {
            return try reads.read { () throws(RequestError) in
                guard let index else { return try start(url, of: stream, beginning) }
                return try restart(index, url, of: stream, beginning)
            }
        } catch {
            // A stream without names is refused, or ends.
            guard let name = url.name, error.isRefusal else { throw error }
            if let index { stream.subscription.end(urlAt: index) }
            stream.subscription.cursorState?.end(name)
            return [EventFrame.gone(name, index == nil ? "notFound" : "noLongerYours")]
        }
    }

    /// Begins a URL from its cursor, or with a snapshot if it has no cursor that can be served.
    private func start(
        _ url: PendingWatchedURL, of stream: OpenStream, _ beginning: StreamBeginning
    ) throws(RequestError) -> [[UInt8]] {
        let (subscription, viewer) = (stream.subscription, stream.subscription.viewer)
        let watched = try self.watched(url.url, by: viewer)
        let watch = watched.watch
        let head = try reads.head()
        let (place, reset) = try cursor(of: url, watch, by: viewer, head: head)
        var subscribed = watched.subscribedURL(url, try topics(of: watch, viewer), since: place?.seq ?? head)
        var frames: [[UInt8]] = []
        if let place {
            // A change of role makes a snapshot of some lists due, which then have the form of events.
            if !watch.isFullyLogged || url.owesView && (subscribed.form != .events || watch.followsRole) {
                subscribed.needsSnapshot = true
                subscribed.isUrgent = true
            }
            subscribed.invalidateCount()
            if url.after == "" {
                // A feed that begins at the start of the log sends that place.
                let page = EncodedListPage(body: try self.place(place.seq))
                frames = show(page, of: url.name, asOf: place.seq, in: subscription)
            } else if watch.showsOne || url.name == nil && watch.form != .events {
                try demandAccess(to: watched, by: viewer, after: place.seq)
            }
            beginning.resourcesSent = place.resourcesSent
        } else {
            let page = try watched.snapshot()
            if subscribed.form == .view { subscribed.viewDigest = page.digest }
            subscribed.settleCount(page.count)
            if url.wasGone, let name = url.name {
                beginning.revived.insert(name)
                frames.append(EventFrame.subscribed([name], revision: beginning.revision, at: head))
            }
            frames += show(page, of: url.name, asOf: head, reset, in: subscription)
            if url.isCovered { subscription.cursorState?.raiseFloor(to: head) }
        }
        if place == nil || !url.isCovered { beginning.through = max(beginning.through, head) }
        models.add(subscribed, to: subscription)
        prepareWindows(of: subscription, from: subscription.urls.count - 1)
        return frames
    }

    /// Throws if the viewer cannot read a URL, and the log after a cursor does not have its end, which would be replayed.
    private func demandAccess(
        to watched: ResolvedWatchedURL, by viewer: Viewer, after seq: Int64
    ) throws(RequestError) {
        do throws(RequestError) {
            _ = try watched.snapshot()
        } catch {
            guard error.isRefusal else { throw error }
            for case .resource(let kind, let id) in watched.watch.ends
            where try reads.hasEnd(of: kind, id, after: seq, seenBy: viewer.readerKey) { return }
            throw error
        }
    }

    /// Returns the cursor from which a URL continues, or `nil` with the reason why its cursor cannot be served.
    private func cursor(
        of url: PendingWatchedURL, _ watch: WatchPlan, by viewer: Viewer, head: Int64
    ) throws(RequestError) -> (ChangeLogCursor?, reset: String?) {
        guard let after = url.after else {
            try demandMembership(of: viewer, in: watch.club)
            return (nil, url.reset)
        }
        let (cursor, reset) = try position(after, in: watch, head: head, of: viewer)
        if let cursor, cursor.resourcesSent > 0, url.name != nil {
            return (nil, "only a stream of one URL can resume from within a change")
        }
        return (cursor, reset)
    }

    /// Returns the frames with a new snapshot of a URL that the stream already has.
    private func restart(
        _ index: Int, _ url: PendingWatchedURL, of stream: OpenStream, _ beginning: StreamBeginning
    ) throws(RequestError) -> [[UInt8]] {
        let subscription = stream.subscription
        try demandMembership(of: subscription.viewer, in: subscription.urls[index].group)
        let (page, head) = (try watched(url.url, by: subscription.viewer).snapshot(), try reads.head())
        subscription.settle(urlAt: index, at: head)
        if subscription.urls[index].form == .view { subscription.urls[index].viewDigest = page.digest }
        subscription.urls[index].settleCount(page.count)
        subscription.cursorState?.raiseFloor(to: head)
        beginning.through = max(beginning.through, head)
        return show(page, of: url.name, asOf: head, url.reset, in: subscription)
    }

    /// Returns the snapshot frames of a URL as of a change, after a `reset` frame if there is a reason for one.
    private func show(
        _ page: EncodedListPage, of name: String?, asOf seq: Int64, _ reset: String? = nil,
        in subscription: Subscription
    ) -> [[UInt8]] {
        if reset != nil { models.counters.resets += 1 }
        let frames = reset.map { [EventFrame.reset(reason: $0, of: name)] } ?? []
        let id = name == nil ? subscription.id(at: seq, epoch) : nil
        return frames + [EventFrame.snapshot(page.body, of: name, asOf: seq, id: id)]
    }

    /// Returns the topics of a watch for a viewer.
    func topics(of watch: WatchPlan, _ viewer: Viewer) throws(RequestError) -> [WatchTopic] {
        guard let inEachClub = watch.inEachClub else { return watch.topics }
        return try watch.topics
            + reads.clubs(of: viewer.readerKey).flatMap { inEachClub($0.club, viewer, $0.isModerator) }
    }
}
