import Model
import ObservableModels
import Store

/// What streams that are behind go on with.
extension Desk {
    /// Changes that a page of a replay holds at most; between two pages other connections have their turn.
    static let replayPageMax = 256

    /// In one snapshot: whether all that follows the cursor is there to be told, and the next of it. It goes no further than
    /// the models have heard, because what the subscription listens to goes no further.
    func next(for stream: Stream) throws(LecternError) -> ObservableModels.Page {
        let subscription = stream.subscription
        let cursor = subscription.state.cursor
        if let gap = try gap(after: cursor, in: subscription.club, of: subscription.viewer) {
            let head = try reads.head()
            return .anew(try restart(stream.snapshot, gap, at: head), at: head)
        }
        if subscription.form == .view { return try view(stream) }
        if stream.renews, subscription.state.fellBehind {
            let page = try stream.snapshot()
            // A list of several pages is not all told by its first one.
            if page.next == nil {
                let head = try reads.head()
                return .anew([EventFrame.snapshot(page.body, at: EventID(epoch: epoch, seq: head))], at: head)
            }
        }
        let page = try reads.changes(
            after: cursor, parts: subscription.state.parts, through: models.head,
            seenBy: subscription.viewer.readerKey, limit: Self.replayPageMax)
        let answers = models.needs(of: page.changes, for: subscription).map(reads.answer)
        return try models.page(page.changes, answers, through: page.through, for: subscription)
    }

    /// What there is now of a view: nothing to send when it is what was sent last, or when nothing of it has changed since
    /// the cursor that its client came with.
    private func view(_ stream: Stream) throws(LecternError) -> ObservableModels.Page {
        let head = try reads.head()
        if stream.shown == nil, try !mayHaveChanged(stream) { return .anew([], at: head) }
        let page = try stream.snapshot()
        let digest = page.digest
        guard digest != stream.shown else { return .anew([], at: head) }
        stream.shown = digest
        return .anew([EventFrame.snapshot(page.body, at: EventID(epoch: epoch, seq: head))], at: head)
    }

    private func mayHaveChanged(_ stream: Stream) throws(LecternError) -> Bool {
        guard stream.isTold else { return true }
        let subscription = stream.subscription
        let page = try reads.changes(
            after: subscription.state.cursor, seenBy: subscription.viewer.readerKey, limit: Self.replayPageMax)
        return !page.isEnd || page.changes.contains { change in subscription.topics.contains { $0.has(change) } }
    }
}
