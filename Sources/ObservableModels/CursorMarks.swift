package import Model

/// What a named stream's ids say besides the place in the log: see `StreamCursor`.
package final class CursorMarks {
    /// A revision, and names that had ended, of which is told once everything up to a change has been.
    private struct Coming {
        let revision: Int64
        var revived: Set<String>
        let at: Int64
    }

    /// Which stream it is.
    private let stream: UInt32
    /// The revision of the stream whose parts have all been told; nil for none yet.
    private var revision: Int64?
    private var coming: [Coming] = []
    /// The names that have ended, as the client has been told.
    private var ended: Set<String> = []
    /// Views are told as of here; nil when none of them owes anything.
    var viewsThrough: Int64?
    /// Everything up to here has been told of the parts that were there before: what a part is given from before moves nothing.
    package private(set) var floor: Int64 = 0

    /// The marks of a stream of these names whose client has a cursor, or none.
    package init(of stream: UInt32 = 0, after cursor: StreamCursor? = nil, watching names: [String] = []) {
        self.stream = stream
        (revision, viewsThrough) = (cursor?.revision, cursor?.viewsThrough)
        if let cursor { ended = Set(names.filter(cursor.hasEnded)) }
    }

    /// Parts of a revision, and names that had ended, are told as of a change; with it they are.
    package func add(revision: Int64, reviving names: Set<String> = [], at seq: Int64) {
        if self.revision == nil { raiseFloor(to: seq) }
        coming.append(Coming(revision: revision, revived: names, at: seq))
    }

    /// What is told up to here does not move the place.
    package func raiseFloor(to seq: Int64) { floor = max(floor, seq) }

    /// A name has ended.
    package func end(_ name: String) {
        ended.insert(name)
        for index in coming.indices { coming[index].revived.remove(name) }
    }

    /// All other names are not watched any more.
    package func keep(_ names: Set<String>) { ended.formIntersection(names) }

    /// The change with which all that is coming has come; 0 where nothing is.
    var target: Int64 { coming.last?.at ?? 0 }

    /// Whether an id at a change would say another revision than the last one.
    func isComing(at seq: Int64) -> Bool { coming.contains { $0.at <= seq && seq >= floor } }

    /// The cursor at a change.
    func cursor(at seq: Int64, _ epoch: Epoch) -> StreamCursor {
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
