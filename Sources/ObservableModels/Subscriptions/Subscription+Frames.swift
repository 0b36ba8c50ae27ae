package import Model

extension Subscription {
    /// Returns the frames of events. The last event of a transaction is marked.
    ///
    /// Several events may belong to one change, such as the composed resources of one reader with the same part. Only the last of them
    /// carries the id: a client that is cut off between them has not advanced, and gets all of them again. Events after
    /// `through` do not move the cursor. If the last transaction is only partly there, its last event is not marked.
    func frames(of pending: [PendingEvent], through: Int64, isPartial: Bool = false, _ epoch: LogEpoch) -> [[UInt8]] {
        // Most commits have one event for a subscription to one URL, and all of these share its frames.
        if pending.count == 1, let subscribed = pending[0].only {
            lastSent = pending[0].published.change.seq
            return pending[0].published.frames(subscribed, isLast: !isPartial)
        }
        var frames: [[UInt8]] = []
        frames.reserveCapacity(pending.count)
        for (index, event) in pending.enumerated() {
            let change = event.published.change
            let next = index + 1 < pending.count ? pending[index + 1].published.change : nil
            let isLast = next.map { $0.transaction != change.transaction } ?? !isPartial
            let moves =
                next?.seq != change.seq && change.seq >= cursorState?.floor ?? 0
                && (change.seq <= through || !isNamed)
            if let subscribed = event.only {
                frames.append(plain(event.published, subscribed, isLast: isLast, moves: moves))
                if moves { lastSent = change.seq }
            } else {
                for subscribed in event.subscribed where subscribed.isOver {
                    if let name = subscribed.name { cursorState?.end(name) }
                }
                let id = moves ? id(at: change.seq, epoch) : nil
                frames += named(event, id: id, isLast: isLast)
            }
        }
        if let cursorState, cursorState.isComing(at: through) {
            frames.append(EventFrame.bookmark(id(at: through, epoch)))
        }
        return frames
    }

    /// Returns the frames of an event for names, with the end of each name that ends with it. The last frame carries
    /// the id.
    private func named(_ event: PendingEvent, id: [UInt8]?, isLast: Bool) -> [[UInt8]] {
        let ends = event.subscribed.filter(\.isOver).map { EventFrame.gone($0, event.published.change) }
        guard let last = ends.last else {
            return [event.published.frame(for: event.subscribed, id: id, isLast: isLast)]
        }
        let change = event.published.frame(for: event.subscribed, id: nil, isLast: isLast)
        return [change] + ends.dropLast() + [id.map { EventFrame.with(id: $0, last) } ?? last]
    }

    private func plain(_ published: PublishedChange, _ subscribed: SubscribedEvent, isLast: Bool, moves: Bool)
        -> [UInt8]
    {
        let frame = published.frames(subscribed, isLast: isLast)[0]
        return moves ? frame : EventFrame.withoutID(frame)
    }

    /// Adds an id to the last of the frames that are sent at a change, if that may move the client's cursor.
    package func identify(_ frames: inout [[UInt8]], at seq: Int64, _ epoch: LogEpoch) {
        guard let cursorState, seq >= cursorState.floor else { return }
        if let last = frames.popLast() {
            frames.append(EventFrame.with(id: id(at: seq, epoch), last))
        } else if cursorState.isComing(at: seq) {
            frames.append(EventFrame.bookmark(id(at: seq, epoch)))
        }
    }

    /// Returns whether an id at a change may move the client's cursor.
    package func mayMove(to seq: Int64) -> Bool { seq >= cursorState?.floor ?? 0 }

    /// Returns the text of an id at a change, and records it as the last one sent.
    package func id(at seq: Int64, _ epoch: LogEpoch) -> [UInt8] {
        lastSent = seq
        return cursorState?.cursor(at: seq, epoch).bytes ?? EventID(epoch: epoch, seq: seq).bytes
    }
}
