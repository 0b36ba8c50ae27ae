import Model

/// What a named stream's ids say besides the place in the log: see `StreamCursor`.
package final class CursorMarks {
    /// The revision of the stream whose parts have all been told; nil for a subscription without names.
    private(set) var revision: Int64?
    /// Revisions that are told once everything up to a change has been.
    private var coming: [(revision: Int64, at: Int64)] = []
    /// Views are told as of here; nil when none of them owes anything.
    var viewsThrough: Int64?
    /// Everything up to here has been told of the parts that were there before: what a part is given from before moves nothing.
    private(set) var floor: Int64 = 0

    /// The marks of a stream that has been told so much.
    package init(revision: Int64? = nil, viewsThrough: Int64? = nil) {
        (self.revision, self.viewsThrough) = (revision, viewsThrough)
    }

    /// Parts of a revision are told as of a change; with it the revision is.
    package func add(revision: Int64, at seq: Int64) { coming.append((revision, seq)) }

    /// What is told up to here does not move the place.
    package func raiseFloor(to seq: Int64) { floor = max(floor, seq) }

    /// Whether an id at a change would say another revision than the last one.
    func isComing(at seq: Int64) -> Bool { coming.contains { $0.at <= seq && seq >= floor } }

    /// The cursor at a change.
    func cursor(at seq: Int64, _ epoch: Epoch) -> StreamCursor {
        while let next = coming.first, next.at <= seq {
            revision = next.revision
            coming.removeFirst()
        }
        return StreamCursor(
            epoch: epoch, seq: seq, revision: revision ?? 0, viewsThrough: viewsThrough.flatMap { $0 < seq ? $0 : nil })
    }
}
