import Model
import ObservableModels
import Store

/// What streams that are behind go on with.
extension Desk {
    /// Changes that a page of a replay holds at most; between two pages other connections have their turn.
    static let replayPageMax = 256
    /// The same for who is told only the last of several updates.
    static let foldedPageMax = 2048
    /// Changes of one transaction that are read together.
    private static let transactionMax = 16_384

    /// In one snapshot: whether all that follows the cursor is there to be told, and the next of it. It goes no further than
    /// the models have heard, because what the subscription listens to goes no further.
    func next(for stream: OpenStream) throws(LecternError) -> ObservableModels.Page {
        let subscription = stream.subscription
        prepareWindows(of: stream)
        // What the log does not tell may have been missed.
        for part in subscription.parts.indices where !stream.sources[part].isTold && !subscription.parts[part].isOver {
            subscription.owe(part: part)
        }
        if subscription.style.isNamed { return try nextOfNamed(stream) }
        if let gap = try gap(after: subscription.state.cursor, in: subscription.parts[0].club, of: subscription.viewer)
        {
            return try anew(stream, gap)
        }
        if stream.sources[0].renews, subscription.state.fellBehind {
            let page = try snapshot(of: stream, part: 0)
            // A list of several pages is not all told by its first one.
            if page.next == nil {
                let head = try reads.head()
                return .anew([EventFrame.snapshot(page.body, at: EventID(epoch: epoch, seq: head))], at: head)
            }
        }
        return try page(for: subscription, through: models.head)
    }

    private func anew(_ stream: OpenStream, _ gap: String) throws(LecternError) -> ObservableModels.Page {
        let subscription = stream.subscription
        let head = try reads.head()
        let frames = try restart(
            { () throws(LecternError) in
                let page = try snapshot(of: stream, part: 0)
                if subscription.isView {
                    stream.sources[0].shown = page.digest
                    subscription.settle(part: 0, at: head)
                }
                return page
            }, gap, at: head)
        return .anew(frames, at: head)
    }

    /// The next page of the log for a subscription, of whole transactions.
    func page(for subscription: Subscription, through last: Int64) throws(LecternError) -> ObservableModels.Page {
        let (cursor, parts) = (subscription.state.cursor, subscription.state.parts)
        var limit = subscription.style.folds ? Self.foldedPageMax : Self.replayPageMax
        while true {
            let page = try reads.changes(
                after: cursor, parts: parts, through: last, seenBy: subscription.viewer.readerKey, limit: limit)
            var (changes, through) = (page.changes, page.through)
            if !page.isEnd, let transaction = changes.last?.transaction, through <= changes[changes.count - 1].seq {
                // The rest of it may be on the next page.
                let whole = changes.prefix { $0.transaction != transaction }
                if whole.isEmpty, limit < Self.transactionMax {
                    limit *= 8
                    continue
                }
                if !whole.isEmpty { (changes, through) = (Array(whole), transaction - 1) }
            }
            let answers = models.needs(of: changes, for: subscription).map(reads.answer)
            return try models.page(changes, answers, through: through, for: subscription)
        }
    }

    /// What there is to see of a part now.
    func snapshot(of stream: OpenStream, part: Int) throws(LecternError) -> EncodedPage {
        switch stream.sources[part].making {
        case .made(let make): try make()
        case .url(let url): try watched(url, by: stream.subscription.viewer).snapshot()
        case .row: try watched(url(of: part, stream), by: stream.subscription.viewer).snapshot()
        }
    }

    /// The URL of a part, as its stream's row has it; not found where that is another by now.
    private func url(of part: Int, _ stream: OpenStream) throws(LecternError) -> String {
        let subscription = stream.subscription
        guard let id = stream.kept, let name = subscription.parts[part].name,
            let entry = try reads.stream(id, of: subscription.viewer.readerKey)?.watch[name],
            entry.revision <= stream.revision
        else { throw .notFound }
        return entry.url
    }

    /// What there is now of a view that owes it, and up to which change that tells: nothing when it is what was sent last.
    func renewal(of stream: OpenStream, part: Int) throws(LecternError) -> (frames: [[UInt8]], through: Int64) {
        let subscription = stream.subscription
        let (page, head) = try reads.read { () throws(LecternError) in
            if let club = subscription.parts[part].club { try demandMembership(of: subscription.viewer, in: club) }
            try fillWindow(of: stream, part: part)
            return (try snapshot(of: stream, part: part), try reads.head())
        }
        // Of several each is as of its own time, and the others may not have heard so far.
        let isAlone = subscription.isView && subscription.parts.count == 1
        let through = isAlone ? max(head, models.head) : models.head
        subscription.settle(part: part, at: head)
        if subscription.parts[part].form == .view {
            let digest = page.digest
            guard digest != stream.sources[part].shown else { return ([], through) }
            stream.sources[part].shown = digest
        }
        let id = subscription.id(at: through, epoch)
        guard let name = subscription.parts[part].name else {
            return ([EventFrame.snapshot(page.body, at: EventID(epoch: epoch, seq: through))], through)
        }
        return ([EventFrame.snapshot(page.body, of: name, asOf: head, id: id)], through)
    }
}
