import HTTPServer
import JSON
import Model
import ObservableModels
import Store

/// A page of changes, the response to a poll.
struct ChangeFeedPage {
    /// The changes, each as the data of its event.
    let items: [[UInt8]]
    /// The cursor of the next page.
    let next: ChangeLogCursor
    /// The oldest place from which the log can still be read. Earlier changes are visible in the lists only.
    let floor: EventID
    /// The newest change.
    let head: EventID
    /// A Boolean value indicating whether the page reaches the end of the log.
    let isEnd: Bool

    /// Writes the response with the JSON `{"items": […], "next": …, "seq": n, "floor": …, "head": …}`.
    func write(limit: Int, waited seconds: Int, to response: inout ResponseWriter) {
        response.field("Cache-Control", "no-store")
        if !isEnd {
            response.field("Link", Array("</v1/changes?limit=\(limit)&cursor=\(next)>; rel=\"next\"".utf8))
        }
        if seconds > 0 { response.field("Preference-Applied", Array("wait=\(seconds)".utf8)) }
        let body = JSONWriter.object(capacity: 512 * (items.count + 1)) { json in
            json.array("items", items) { $1.raw($0) }
            json.member("next", next.description)
            json.member("seq", next.seq)
            json.member("floor", floor)
            json.member("head", head)
        }
        response.body(body, type: "application/json")
    }
}

extension RequestPipeline {
    /// Returns a page of changes after a cursor; an empty cursor is the beginning of the log.
    func changes(after given: String, _ viewer: Viewer, _ limit: Int) throws(RequestError) -> ChangeFeedPage {
        let head = try reads.head()
        let (cursor, reason) = try position(given, in: .feed(of: viewer), head: head, of: viewer)
        guard let cursor else {
            throw .refused(
                .cursorNotServed,
                """
                Cannot continue from this cursor: \(reason ?? ""). The log starts at \(EventID(epoch: epoch, seq: try reads.floor())) now. \
                Read the lists again, and continue from their "after".
                """)
        }
        let page = try reads.changes(
            after: cursor.seq, resourcesSent: cursor.resourcesSent, splits: true, seenBy: viewer.readerKey,
            limit: limit)
        return ChangeFeedPage(
            items: page.changes.map(EventFrame.item),
            next: ChangeLogCursor(epoch: epoch, seq: page.through, resourcesSent: page.resourcesSent),
            floor: EventID(epoch: epoch, seq: try reads.floor()), head: EventID(epoch: epoch, seq: head),
            isEnd: page.isEnd)
    }
}
