package import Model

/// The state of a named stream's event ids besides the place in the log. See `StreamCursor`.
package final class StreamCursorState {
    /// A revision, and ended names that it revives, which take effect when everything up to a change has been sent.
    private struct PendingRevision {
        let revision: Int64
        var revived: Set<String>
        let at: Int64
    }

    /// The hash of the stream's id, which its cursors contain.
    private let stream: UInt32
    /// The last revision whose URLs have all been sent, or `nil` if there is none yet.
    private var revision: Int64?
    private var coming: [PendingRevision] = []
    /// The names whose end has been sent to the client.
    private var ended: Set<String> = []
    /// The change as of which views have been sent, or `nil` if no view needs a new snapshot.
    var viewsThrough: Int64?
    /// The change up to which earlier URLs have received everything. Events below it, of URLs that were added later,
    /// do not move the cursor.
    package private(set) var floor: Int64 = 0

    /// Creates the state of a stream that watches these names, from its client's cursor if there is one.
    package init(of stream: UInt32 = 0, after cursor: StreamCursor? = nil, watching names: [String] = []) {
        self.stream = stream
        (revision, viewsThrough) = (cursor?.revision, cursor?.viewsThrough)
        if let cursor { ended = Set(names.filter(cursor.hasEnded)) }
    }

    /// Adds a revision, and ended names that it revives, which take effect with a change.
    package func add(revision: Int64, reviving names: Set<String> = [], at seq: Int64) {
        if self.revision == nil { raiseFloor(to: seq) }
        coming.append(PendingRevision(revision: revision, revived: names, at: seq))
    }

    /// Raises the floor, below which events do not move the cursor.
    package func raiseFloor(to seq: Int64) { floor = max(floor, seq) }

    /// Records that a name has ended.
    package func end(_ name: String) {
        ended.insert(name)
        for index in coming.indices { coming[index].revived.remove(name) }
    }

    /// Forgets the ended names that are no longer watched.
    package func keep(_ names: Set<String>) { ended.formIntersection(names) }

    /// The change with which all added revisions have taken effect, or 0 if none waits.
    var target: Int64 { coming.last?.at ?? 0 }

    /// Returns whether an event id at a change would name a newer revision than the last id.
    func isComing(at seq: Int64) -> Bool { coming.contains { $0.at <= seq && seq >= floor } }

    /// Returns the cursor at a change.
    func cursor(at seq: Int64, _ epoch: LogEpoch) -> StreamCursor {
        while let next = coming.first, next.at <= seq {
            revision = next.revision
            ended.subtract(next.revived)
            coming.removeFirst()
        }
        return StreamCursor(
            epoch: epoch, seq: seq, of: stream, revision: revision ?? 0,
            viewsThrough: viewsThrough.flatMap { $0 < seq ? $0 : nil }, ended: ended)
    }
}
