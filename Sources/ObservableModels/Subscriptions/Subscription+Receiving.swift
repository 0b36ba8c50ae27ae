import Model

extension Subscription {
    /// The maximum size of events that commits may add for a subscription in one turn. It gets the rest from the log.
    private static let pendingBytesMax: Int32 = 1 << 20

    /// Adds the event that a change is for a URL. Changes that share a `seq` are sent together. If some of them were
    /// sent before, the subscription reads the log, where it is known which. `only` has the events of a subscription to
    /// one URL without other events; a model's subscriptions share this array.
    ///
    /// A URL gets no event if it has ended or has the change already, if the change is not for the `readers` or not for
    /// the URL's filter (`name` is `nil`), and for the reasons of `event(of:)`.
    func receive(
        _ published: PublishedChange, at registration: Int, as name: EventName?, _ readers: Set<Int64>?,
        sharing only: inout [PendingEvent], _ touched: inout [Subscription]
    ) {
        let change = published.change
        let index = Int(registrations[registration].urlIndex)
        guard receives(change.seq, index) else { return }
        if urls[index].hasCount {
            recount(index, after: change, &touched)
            if urls[index].counts(registrations[registration].model.topic) { return }
        }
        guard pendingBytes < Self.pendingBytesMax || change.seq == pending.last?.published.change.seq,
            state.resourcesSent == 0 || change.seq > state.cursor + 1
        else { return sendToLog(change, &touched) }
        if let readers, !readers.contains(viewer.readerKey) { return }
        if urls[index].form == .view, !ends(urlAt: index, with: change) {
            guard name != nil else { return }
            touch(&touched)
            return invalidate(urlAt: index, through: change.seq - 1)
        }
        guard let subscribed = event(of: published, index, as: name) else { return }
        touch(&touched)
        guard pending.isEmpty, !isNamed, !subscribed.isOver else {
            addEvent(published, subscribed)
            if subscribed.isOver { end(urlAt: index) }
            return
        }
        if only.isEmpty { only = [PendingEvent(published, subscribed)] }
        pending = only
        addPendingBytes(only[0].size)
    }

    /// Marks the count of a URL for sending after a change, whether or not the reader may see the change. If there is
    /// no count, only certain changes can create one.
    private func recount(_ index: Int, after change: Change, _ touched: inout [Subscription]) {
        guard urls[index].isCounting || change.canBeginCount else { return }
        touch(&touched)
        guard urls[index].form == .view else { return urls[index].invalidateCount() }
        invalidate(urlAt: index, through: change.seq - 1)
    }

    /// Returns whether a URL receives a change that is published now.
    func receives(_ seq: Int64, _ index: Int) -> Bool {
        state.receives(seq) && seq > urls[index].since && !urls[index].isOver
    }

    /// Returns the event that a change is for a URL, or `nil` for none. `name` is the event in the list that the URL
    /// watches. The caller has checked that the reader may see the change. No event is sent for the resource that
    /// contains the URL's resources, in a scope that is not the viewer's, or without a changed field that the URL wants.
    func event(of published: PublishedChange, _ index: Int, as name: EventName?) -> SubscribedEvent? {
        let change = published.change
        if ends(urlAt: index, with: change) { return last(index, change) }
        guard let name, !urls[index].isContained(in: change), viewer.mayReceive(change.scope) else { return nil }
        if name == .updated, let fields = urls[index].fields, fields.isDisjoint(with: published.differing) {
            return nil
        }
        return SubscribedEvent(name: urls[index].name, urlIndex: index, event: name)
    }

    /// Returns the last event of a URL that a change ends: its resource is deleted or hidden, or its reader leaves.
    private func last(_ index: Int, _ change: Change) -> SubscribedEvent {
        let isGone = change.operation == .deleted
        let isOwn = isGone && isOwn(index, change)
        // Otherwise the reason follows from the change.
        let isLeaving = isGone ? change.membership?.reader != nil && !isOwn : !change.operation.isHiding
        return SubscribedEvent(
            name: urls[index].name, urlIndex: index, event: isOwn ? .deleted : .leave,
            reason: isLeaving ? .noLongerYours : nil, isOver: true)
    }

    /// Adds the last event of a URL, as of a change after which its reader may receive no more of it.
    func endURL(at index: Int, by published: PublishedChange, _ touched: inout [Subscription]) {
        guard !urls[index].isOver else { return }
        touch(&touched)
        addEvent(published, last(index, published.change))
        end(urlAt: index)
    }

    /// Adds the event that a change is for a row of a URL's window.
    func receive(
        _ published: PublishedChange, at registration: Int, in window: SubscribedEvent, _ touched: inout [Subscription]
    ) {
        let index = Int(registrations[registration].urlIndex)
        guard receives(published.change.seq, index), !urls[index].needsSnapshot,
            viewer.mayReceive(published.change.scope)
        else { return }
        guard urls[index].form == .window else {
            return invalidate(at: registration, from: published.change.seq, &touched)
        }
        guard pendingBytes < Self.pendingBytesMax else { return sendToLog(published.change, &touched) }
        touch(&touched)
        addEvent(published, window.named(urls[index].name, urlIndex: index))
    }

    /// Returns whether a URL wants updates of these fields.
    func wants(_ differing: FieldSet, at registration: Int) -> Bool {
        urls[Int(registrations[registration].urlIndex)].fields.map { !$0.isDisjoint(with: differing) } ?? true
    }

    /// Marks a URL for a new snapshot, because its changes are unknown from a change on.
    func invalidate(at registration: Int, from seq: Int64, _ touched: inout [Subscription]) {
        invalidate(urlAt: Int(registrations[registration].urlIndex), from: seq, &touched)
    }

    /// Marks a URL for a new snapshot, because its changes are unknown from a change on. Removes its later events.
    func invalidate(urlAt index: Int, from seq: Int64, _ touched: inout [Subscription]) {
        guard !urls[index].isOver, !urls[index].needsSnapshot else { return }
        touch(&touched)
        let name = urls[index].name
        pending = pending.compactMap { event in
            event.published.change.seq < seq ? event : event.keeping { $0.name != name || $0.isOver }
        }
        invalidate(urlAt: index, through: seq - 1)
    }

    private func addEvent(_ published: PublishedChange, _ subscribed: SubscribedEvent) {
        // Few events of a turn share a `seq`.
        let known = pending.indices.reversed().prefix { pending[$0].published.change.seq == published.change.seq }
        if let index = known.first(where: { pending[$0].published === published }) {
            return pending[index].addEvent(subscribed)
        }
        pending.append(PendingEvent(published, subscribed))
        addPendingBytes(pending[pending.count - 1].size)
    }

    private func addPendingBytes(_ size: Int) { pendingBytes = Int32(clamping: Int(pendingBytes) + size) }

    /// Ends a URL, whose end the client was sent. A subscription without names ends with its only URL.
    package func end(urlAt index: Int) {
        urls[index].isOver = true
        urls[index].needsSnapshot = false
        if !needsSnapshot { cursorState?.viewsThrough = nil }
        if !isNamed { _ = state.take(.over) }
    }

    /// Makes the subscription read the log from the beginning of this change's transaction on.
    func sendToLog(_ change: Change, _ touched: inout [Subscription]) {
        sendToLog(from: change.transaction, change.seq, &touched)
    }

    /// Makes the subscription read the log from `first`, the beginning of a transaction, if it receives the change
    /// `seq`.
    func sendToLog(from first: Int64, _ seq: Int64, _ touched: inout [Subscription]) {
        guard state.receives(seq) else { return }
        touch(&touched)
        // The log does not show this reader the change that ends a URL.
        pending = pending.compactMap { $0.published.change.seq < first ? $0 : $0.keeping(\.isOver) }
        _ = state.take(.missed(max(first, state.cursor + 1)))
    }

    func touch(_ touched: inout [Subscription]) {
        guard !isTouched else { return }
        isTouched = true
        touched.append(self)
    }

    /// Returns the frames of this turn's commits, and the change up to which they cover everything.
    func takePending(head: Int64, _ epoch: LogEpoch) -> (frames: [[UInt8]], through: Int64) {
        let taken = pending
        (pending, pendingBytes, isTouched) = ([], 0, false)
        // A subscription that is behind receives only the end of its URLs from commits.
        let isOnTheWay = state.phase != .live && !state.isOver
        let through = isOnTheWay ? state.cursor : state.missedFrom.map { $0 - 1 } ?? head
        return (frames(of: taken, through: through, epoch), through)
    }
}
