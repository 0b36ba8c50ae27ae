import Model
import ObservableModels
import Store

/// The next frames for streams that are behind.
extension RequestPipeline {
    /// The maximum number of changes in a page of a replay. Between two pages other connections have their turn.
    static let replayPageMax = 256
    /// The number of changes of one transaction that are read together at most. A larger transaction takes several
    /// pages, because a page is read within the time limit of a read.
    private static let transactionMax = 2048

    /// Returns the next page for a stream: URLs that begin, a new revision of the stream, or the log after its cursor.
    /// The page contains no change that `ObservableModels` has not received, because the subscription's topics are not
    /// newer.
    func next(for stream: OpenStream) throws(RequestError) -> ReplayPage {
        if stream.beginning == nil {
            let page = try reads.read { () throws(RequestError) in try follow(stream) }
            if let page { return page }
        }
        return try begin(stream)
    }

    /// Returns the next page of the log for a stream, or `nil` if URLs of the stream must begin first. Must be called
    /// within one database snapshot.
    private func follow(_ stream: OpenStream) throws(RequestError) -> ReplayPage? {
        let subscription = stream.subscription
        prepareWindows(of: subscription)
        // Changes that are not in the log may have been missed, so views and counts are read again.
        for index in subscription.urls.indices where !subscription.urls[index].isOver {
            if !subscription.urls[index].isFullyLogged { subscription.urls[index].needsSnapshot = true }
            subscription.urls[index].invalidateCount()
        }
        if let change = stream.streamChanges.first, change.seq <= subscription.state.cursor {
            stream.streamChanges.removeFirst()
            stream.beginning = switchOver(stream, to: change)
        } else {
            stream.beginning = try restarts(of: stream)
        }
        guard stream.beginning == nil else {
            subscription.catchUp()
            return nil
        }
        var page = try page(for: subscription, through: min(models.head, stream.streamChanges.first?.seq ?? .max))
        page.hasPendingWork = !stream.streamChanges.isEmpty
        return page
    }

    /// Changes a stream to a new revision, and returns the new URLs, which are yet to begin.
    private func switchOver(_ stream: OpenStream, to change: StreamRowChange) -> StreamBeginning? {
        guard let new = change.value, new.revision > stream.revision else { return nil }
        let subscription = stream.subscription
        let added = new.watch.entries.filter { $0.revision > stream.revision }
        let names = Set(new.watch.entries.lazy.filter { $0.revision <= stream.revision }.map(\.name))
        models.keep({ url in url.name.map(names.contains) ?? false }, of: subscription)
        subscription.cursorState?.keep(names)
        stream.revision = new.revision
        let beginning = StreamBeginning(added.map { PendingWatchedURL($0, after: nil) })
        (beginning.revision, beginning.isNewRevision) = (new.revision, true)
        beginning.frames = [EventFrame.subscribed(added.map(\.name), revision: new.revision, at: change.seq)]
        return beginning
    }

    /// Returns the URLs that cannot continue from their place, or `nil` if there are none.
    private func restarts(of stream: OpenStream) throws(RequestError) -> StreamBeginning? {
        let subscription = stream.subscription
        let (cursor, viewer) = (subscription.state.cursor, subscription.viewer)
        var urls: [PendingWatchedURL] = []
        for url in subscription.urls where !url.isOver {
            var (reason, isLost): (String?, Bool) = (nil, false)
            do throws(RequestError) {
                reason = try gap(
                    after: max(cursor, url.since), in: url.group, followsRole: url.followsRole, of: viewer)
            } catch {
                guard case .notFound = error else { throw error }
                isLost = true
            }
            guard reason != nil || isLost else { continue }
            urls.append(PendingWatchedURL(again: url.name, url.url, reset: reason))
        }
        guard !urls.isEmpty else { return nil }
        let beginning = StreamBeginning(urls)
        let isWhole = urls.count == subscription.urls.lazy.filter { !$0.isOver }.count
        if subscription.isNamed, isWhole, let reason = urls.lazy.compactMap(\.reset).first {
            beginning.reset = reason
            for index in urls.indices { beginning.urls[index].reset = nil }
        }
        return beginning
    }

    /// Returns the next page of the log for a subscription, in whole transactions.
    func page(for subscription: Subscription, through last: Int64) throws(RequestError) -> ReplayPage {
        let state = subscription.state
        var limit = Self.replayPageMax
        while true {
            let page = try reads.changes(
                after: state.cursor, resourcesSent: state.resourcesSent, through: last,
                seenBy: subscription.viewer.readerKey, limit: limit)
            var (changes, through, isPartial) = (page.changes, page.through, false)
            if !page.isEnd, let transaction = changes.last?.transaction, through <= changes[changes.count - 1].seq {
                // The rest of the transaction may be on the next page.
                let whole = changes.prefix { $0.transaction != transaction }
                if whole.isEmpty, limit < Self.transactionMax {
                    limit *= 8
                    continue
                }
                isPartial = whole.isEmpty
                if !isPartial { (changes, through) = (Array(whole), transaction - 1) }
            }
            return try models.page(changes, through: through, isPartial: isPartial, for: subscription)
        }
    }

    /// Returns the frames of a view that needs a new snapshot, and the change that they cover. There are none if the
    /// view equals the last one that was sent.
    func renewal(of stream: OpenStream, urlAt index: Int) throws(RequestError) -> (frames: [[UInt8]], through: Int64) {
        let subscription = stream.subscription
        let (page, head) = try reads.read { () throws(RequestError) in
            if let club = subscription.urls[index].group { try demandMembership(of: subscription.viewer, in: club) }
            try fillWindow(of: subscription, urlAt: index)
            return (try watched(subscription.urls[index].url, by: subscription.viewer).snapshot(), try reads.head())
        }
        // With several URLs, each snapshot is as of its own time, and the other URLs may not have received that much.
        let through = subscription.urls.count == 1 ? max(head, models.head) : models.head
        // A client that resumed from before this snapshot would get its list's events up to `head` again.
        if subscription.urls[index].form == .events { subscription.cursorState?.raiseFloor(to: head) }
        subscription.settle(urlAt: index, at: head)
        subscription.urls[index].settleCount(page.count)
        if subscription.urls[index].form == .view {
            let digest = page.digest
            guard digest != subscription.urls[index].viewDigest else { return ([], through) }
            subscription.urls[index].viewDigest = digest
        }
        let id = subscription.mayMove(to: through) ? subscription.id(at: through, epoch) : nil
        return ([EventFrame.snapshot(page.body, of: subscription.urls[index].name, asOf: head, id: id)], through)
    }

    /// Returns the frame with the count beside a list, or none if the count equals the last one that was sent.
    func recount(_ stream: OpenStream, urlAt index: Int) throws(RequestError) -> [[UInt8]] {
        let subscription = stream.subscription
        let (count, name, head) = try reads.read { () throws(RequestError) in
            if let club = subscription.urls[index].group { try demandMembership(of: subscription.viewer, in: club) }
            let count = try watched(subscription.urls[index].url, by: subscription.viewer).watch.count
            return (try count?.read(), count?.name ?? "count", try reads.head())
        }
        let former = subscription.urls[index].count
        subscription.urls[index].settleCount(count)
        guard count != former else { return [] }
        let id = subscription.mayMove(to: models.head) ? subscription.id(at: models.head, epoch) : nil
        return [EventFrame.count(count, as: name, of: subscription.urls[index].name, asOf: head, id: id)]
    }
}
