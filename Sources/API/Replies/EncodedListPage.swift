import JSON
import Model
import Store

/// The body of a list's response.
struct EncodedListPage {
    let body: [UInt8]
    var next: String?
    /// The range of the bytes in the body that hold the position in the log. The position changes even if nothing
    /// visible does.
    var place = 0..<0
    /// The position in the log.
    var seq: Int64 = 0
    /// The count beside the list.
    var count: Int64?

    /// The digest of the visible content.
    var digest: [UInt8] {
        var shown = body
        shown.removeSubrange(place)
        return ETag.bytes(hashing: shown)
    }
}

extension ListPage where Item: Resource {
    /// Returns the JSON of the page. If `encode` is given, it encodes the items with members beyond their
    /// representations. The page's `seq` is at least the version of each item, which may have changed in another scope.
    func encoded(
        _ epoch: LogEpoch, seq: Int64, extra: (name: StaticString, value: Int64)? = nil, _ reads: ReadConnection,
        _ encode: ItemEncoder<Item>?
    ) throws(RequestError) -> EncodedListPage {
        let seq = items.reduce(seq) { max($0, $1.version) }
        guard let encode else { return encoded(epoch, seq: seq, extra: extra) { $0.write(to: &$1) } }
        let encodings = try encode(reads, items)
        var index = 0
        return encoded(epoch, seq: seq, extra: extra) { _, json in
            json.raw(encodings[index])
            index += 1
        }
    }
}

extension ListPage {
    /// Returns the JSON `{"items": […], "next": …, "seq": n, "after": …}`. Watching from `after` on leaves no gap.
    func encoded(
        _ epoch: LogEpoch, seq: Int64, extra: (name: StaticString, value: Int64)? = nil,
        _ write: (Item, inout JSONWriter) -> Void
    ) -> EncodedListPage {
        var json = JSONWriter(capacity: 512 * (items.count + 1))
        json.beginObject()
        json.array("items", items, write)
        json.member("next", next)
        let place = json.bytes.count
        json.member("seq", seq)
        json.member("after", EventID(epoch: epoch, seq: seq))
        let rest = json.bytes.count
        if let extra { json.member(extra.name, extra.value) }
        json.member("suggestion", ifAny: suggestion)
        json.endObject()
        return EncodedListPage(body: json.bytes, next: next, place: place..<rest, seq: seq, count: extra?.value)
    }
}
