import HTTPServer
import JSON
import Model
import ObservableModels
import Store

extension RequestPipeline {
    /// Returns the cursor from which a watched URL can continue, or `nil` with the reason why it cannot. For a feed, an empty
    /// cursor is the beginning of the log. A bare number, which may be of any log, is no cursor.
    func position(
        _ text: String, in watch: WatchPlan, head: Int64, of viewer: Viewer
    ) throws(RequestError) -> (ChangeLogCursor?, reset: String?) {
        if watch.isFeed, text.isEmpty { return (ChangeLogCursor(epoch: epoch, seq: try reads.floor()), nil) }
        guard let cursor = ChangeLogCursor(text) else {
            return (nil, "the cursor is not the id of an event, and not an \"after\" or \"next\" of a response")
        }
        guard cursor.epoch == epoch else { return (nil, "the cursor is from another log") }
        guard cursor.seq + (cursor.resourcesSent > 0 ? 1 : 0) <= head else {
            return (nil, "the cursor is ahead of the log")
        }
        if let gap = try gap(after: cursor.seq, in: watch.club, followsRole: watch.followsRole, of: viewer) {
            return (nil, gap)
        }
        guard cursor.resourcesSent > 0 else { return (cursor, nil) }
        guard watch.isFeed else { return (nil, "only /v1/changes can resume from within a change") }
        guard try cursor.resourcesSent < reads.noteCount(of: cursor.seq + 1, changeAudience: viewer.readerKey) else {
            return (nil, "the cursor is within a change that does not have this many notes")
        }
        return (cursor, nil)
    }

    /// Returns the reason why changes after a cursor cannot be served, or `nil` if they can. The cursor must not be
    /// older than the log or the viewer's membership of the club. Must be called in the snapshot from which the changes
    /// are read.
    func gap(
        after seq: Int64, in club: Int64?, followsRole: Bool, of viewer: Viewer
    ) throws(RequestError) -> String? {
        if try seq < reads.floor() { return "the cursor is older than the log" }
        if try seq < demandMembership(of: viewer, in: club) { return "the cursor is older than your membership" }
        guard followsRole, let club, let began = try reads.roleBegan(of: viewer.readerKey, inClub: club), seq < began
        else { return nil }
        return "the cursor is older than your role in the club"
    }

    /// Returns the beginning of the viewer's membership of a club, or 0 outside clubs. Throws `notFound` if the viewer
    /// is no member.
    @discardableResult
    func demandMembership(of viewer: Viewer, in club: Int64?) throws(RequestError) -> Int64 {
        guard let club else { return 0 }
        guard let member = try reads.member(viewer.readerKey, ofClub: club) else { throw .notFound }
        return member.key
    }

    /// Returns the client's cursor. The field that a reconnecting EventSource sends takes precedence.
    func cursor(_ query: RequestQuery, _ request: borrowing Request) throws(RequestError) -> String? {
        try request.demandOnce("last-event-id")
        if let field = request.field("last-event-id"), field.byteCount > 0 { return text(of: field) }
        return query.text("after")
    }

    /// Returns the JSON that a feed sends first: its position in the log, and the oldest position that the log still
    /// has.
    func place(_ seq: Int64) throws(RequestError) -> [UInt8] {
        let floor = try reads.floor()
        return JSONWriter.object(capacity: 128) { json in
            json.member("after", EventID(epoch: epoch, seq: seq))
            json.member("seq", seq)
            json.member("floor", EventID(epoch: epoch, seq: floor))
        }
    }
}
