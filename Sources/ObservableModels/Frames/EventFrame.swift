import JSON
package import Model

/// Frames of `text/event-stream` (WHATWG HTML, 9.2). A frame is one array of bytes, shared by all its recipients.
package enum EventFrame {
    /// Returns the frame of a change for a stream of one URL. `body` holds the members of the change's JSON. The last
    /// event of a transaction is marked `isLast`.
    static func change(
        _ change: Change, _ body: [UInt8], as subscribed: SubscribedEvent, epoch: LogEpoch, isLast: Bool
    ) -> [UInt8] {
        let id = EventID(epoch: epoch, seq: change.seq).bytes
        var json = begin(subscribed.event.text, id: id, capacity: 128 + body.count)
        json.beginObject()
        json.bytes += body
        describe(subscribed, of: change, in: &json)
        return endingChange(&json, isLast: isLast)
    }

    /// Returns the frame of a change for a named stream: the event for each name, then the shared members.
    static func change(
        _ change: Change, _ body: [UInt8], for events: [SubscribedEvent], id: [UInt8]?, isLast: Bool
    ) -> [UInt8] {
        var json = begin("change", id: id, capacity: 64 * events.count + body.count)
        json.beginObject()
        json.array("for", events) { subscribed, json in
            json.object { json in
                json.member("name", subscribed.name ?? "")
                json.member("event", ascii: subscribed.event.text)
                describe(subscribed, of: change, in: &json)
            }
        }
        json.bytes.append(UInt8(ascii: ","))
        json.bytes += body
        return endingChange(&json, isLast: isLast)
    }

    /// Writes the reason of a `leave` or `hidden` event, by default the one that follows from the change, and the next
    /// row in a window.
    private static func describe(_ subscribed: SubscribedEvent, of change: Change, in json: inout JSONWriter) {
        let isGone = subscribed.event == .leave || subscribed.event == .hidden
        if let reason = subscribed.reason ?? (isGone ? reason(ofLeaving: change) : nil) {
            json.member("reason", reason.rawValue)
        }
        if let neighbour = subscribed.neighbour { json.member("before", neighbour.id) }
    }

    private static func endingChange(_ json: inout JSONWriter, isLast: Bool) -> [UInt8] {
        if isLast { json.member("isLast", true) }
        json.endObject()
        return ending(&json)
    }

    /// Returns the reason why a change takes its resource out of a list.
    static func reason(ofLeaving change: Change) -> LeaveReason {
        switch change.operation {
        case .deleted: return .deleted
        case .hidden: return .noLongerYours
        case .raised: return .raised
        case .undone: return .undone
        default: return .changed
        }
    }

    /// Returns the frame that ends a name of a stream, with the reason of the name's last event.
    static func gone(_ subscribed: SubscribedEvent, _ change: Change) -> [UInt8] {
        gone(subscribed.name ?? "", (subscribed.reason ?? reason(ofLeaving: change)).rawValue)
    }

    /// Returns the frame that ends a name of a stream, or reports that it could not begin.
    package static func gone(_ name: String, _ reason: String) -> [UInt8] {
        event("gone") { json in
            json.member("name", name)
            json.member("reason", reason)
        }
    }

    /// Returns the frame with a stream's new revision and the names that begin with it, as of a change.
    package static func subscribed(_ names: [String], revision: Int64, at seq: Int64) -> [UInt8] {
        event("subscribed") { json in
            json.member("revision", revision)
            json.member("seq", seq)
            json.member("names", names)
        }
    }

    /// The frames for a client whose stream another connection took over. The reconnection time is a day.
    package static let taken = retry(milliseconds: 86_400_000) + event("taken") { _ in }

    /// Returns the frame that ends a stream for good.
    package static func end(reason: StaticString) -> [UInt8] {
        event("end") { json in
            json.member("reason", ascii: reason)
        }
    }

    /// Returns the event with a list's count as of a change. A count of `nil` means that the list has no count any
    /// more.
    package static func count(
        _ count: Int64?, as member: StaticString, of name: String?, asOf seq: Int64, id: [UInt8]?
    ) -> [UInt8] {
        event(member, id: id) { json in
            json.member("name", ifAny: name)
            json.member("seq", seq)
            json.member(member, count)
        }
    }

    /// Returns a change as a page of the log shows it, with the reason if it hides a resource.
    package static func item(_ change: Change) -> [UInt8] {
        guard change.operation.isHiding else { return change.encoded() }
        return change.encoded().dropLast() + Array(",\"reason\":\"\(reason(ofLeaving: change).rawValue)\"}".utf8)
    }

    private static func event(
        _ name: StaticString, id: [UInt8]? = nil, _ members: (inout JSONWriter) -> Void
    ) -> [UInt8] {
        var json = begin(name, id: id)
        json.object(members)
        return ending(&json)
    }

    /// Returns a snapshot: a representation or a page of a list, as one line of JSON. For a named stream it has the
    /// name and the change as of which it is. Without an id it does not move the client's cursor.
    package static func snapshot(_ body: [UInt8], of name: String?, asOf seq: Int64, id: [UInt8]?) -> [UInt8] {
        var json = begin("snapshot", id: id, capacity: body.count)
        if let name {
            json.object { json in
                json.member("name", name)
                json.member("seq", seq)
                json.member("value", raw: body)
            }
        } else {
            json.bytes += body
        }
        return ending(&json)
    }

    /// Returns the frame that reports a cursor that cannot be served. A snapshot follows; older events are void.
    package static func reset(reason: String, of name: String? = nil) -> [UInt8] {
        event("reset") { json in
            json.member("name", ifAny: name)
            json.member("reason", reason)
        }
    }

    /// Returns the frame that tells a quiet subscriber that the connection is alive, and advances its cursor if it has
    /// an id. It has data because browsers dispatch no event without.
    package static func bookmark(_ id: [UInt8]?) -> [UInt8] { event("bookmark", id: id) { _ in } }

    /// Returns the first line of a stream, its reconnection time in milliseconds.
    package static func retry(milliseconds: Int) -> [UInt8] { Array("retry: \(milliseconds)\n".utf8) }

    /// Returns an event with an id, from one without.
    package static func with(id: [UInt8], _ frame: [UInt8]) -> [UInt8] {
        Array("id: ".utf8) + id + Array("\n".utf8) + frame
    }

    /// Returns an event without its id, so that it does not move the client's cursor.
    static func withoutID(_ frame: [UInt8]) -> [UInt8] {
        guard let end = frame.firstIndex(of: UInt8(ascii: "\n")), frame.starts(with: Array("id: ".utf8)) else {
            return frame
        }
        return Array(frame[(end + 1)...])
    }

    private static func begin(_ name: StaticString, id: [UInt8]?, capacity: Int = 0) -> JSONWriter {
        var json = JSONWriter(capacity: 160 + capacity)
        if let id {
            json.bytes += "id: ".utf8
            json.bytes += id
            json.bytes.append(UInt8(ascii: "\n"))
        }
        json.bytes += "event: ".utf8
        json.bytes += UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
        json.bytes += "\ndata: ".utf8
        return json
    }

    private static func ending(_ json: inout JSONWriter) -> [UInt8] {
        json.bytes += "\n\n".utf8
        return json.bytes
    }
}

/// The reason why a list lost a member, or why a stream ended. The raw values are sent.
enum LeaveReason: String {
    /// The filter no longer matches.
    case changed
    case deleted
    /// The resource exists, but this reader may not see it any more.
    case noLongerYours
    /// Other rows, as many as the window shows, now come before it.
    case pushedOut
    /// The threshold was raised above the reader's marks.
    case raised
    /// The change that had reached the threshold was undone.
    case undone
}
