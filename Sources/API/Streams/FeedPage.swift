import JSON
import Model

/// A page of changes, as a poll is answered.
struct FeedPage {
    /// Each as its event says it.
    let items: [[UInt8]]
    /// Where the next page goes on.
    let next: LogCursor
    /// The oldest place from which the log can still be read: what came before it is in the lists only.
    let floor: EventID
    /// Whether the log had nothing after it.
    var isEnd = true

    /// `{"items": […], "next": …, "seq": n, "floor": …}`.
    func encoded() -> [UInt8] {
        var json = JSONWriter(capacity: 512 * (items.count + 1))
        json.beginObject()
        json.name("items")
        json.beginArray()
        for item in items { json.raw(item) }
        json.endArray()
        json.name("next")
        json.string(next.description)
        json.name("seq")
        json.integer(next.seq)
        json.name("floor")
        json.eventID(floor)
        json.endObject()
        return json.bytes
    }
}
