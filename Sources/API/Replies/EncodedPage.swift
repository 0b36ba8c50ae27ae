import JSON
import Model
import Store

/// The body of a list's answer.
struct EncodedPage {
    let body: [UInt8]
    let next: String?
}

extension Page where Item: Resource {
    /// The page as its items' representations. The log's place is never before their own changes, which need not be in the
    /// scope whose last change `seq` is.
    func encoded(
        _ epoch: Epoch, seq: Int64, extra: (name: StaticString, value: Int64)? = nil
    ) -> EncodedPage {
        let seq = items.reduce(seq) { max($0, $1.version) }
        return encoded(epoch, seq: seq, extra: extra) { $0.write(to: &$1) }
    }
}

extension Page {
    /// `{"items": […], "next": …, "seq": n, "after": …}`: watching from that place on leaves no gap.
    func encoded(
        _ epoch: Epoch, seq: Int64, extra: (name: StaticString, value: Int64)? = nil,
        _ write: (Item, inout JSONWriter) -> Void
    ) -> EncodedPage {
        var json = JSONWriter(capacity: 512 * (items.count + 1))
        json.beginObject()
        json.name("items")
        json.beginArray()
        for item in items { write(item, &json) }
        json.endArray()
        json.name("next")
        json.string(next)
        json.name("seq")
        json.integer(seq)
        json.name("after")
        json.eventID(EventID(epoch: epoch, seq: seq))
        if let extra {
            json.name(extra.name)
            json.integer(extra.value)
        }
        json.endObject()
        return EncodedPage(body: json.bytes, next: next)
    }
}
