import JSON
import Model

/// Frames of `text/event-stream` (WHATWG HTML, 9.2). A frame is one array of bytes, shared by all its recipients.
package enum EventFrame {
    /// Returns the frame of a change under an event name. `body` holds the members of the change's JSON. A `leave` or
    /// `hidden` event has a reason, by default the one that follows from the change. The last event of a transaction is
    /// marked `isLast`.
    static func change(
        _ change: Change, _ body: [UInt8], _ name: EventName, epoch: LogEpoch, reason: LeaveReason? = nil,
        _ neighbour: WindowNeighbour? = nil, isLast: Bool = false
    ) -> [UInt8] {
        var bytes = begin(EventID(epoch: epoch, seq: change.seq), name.text, capacity: 256 + body.count)
        bytes.append(UInt8(ascii: "{"))
        bytes += body
        if let reason = reason ?? self.reason(of: name, change) {
            bytes += Array(",\"reason\":\"\(reason.text)\"".utf8)
        }
        neighbour?.append(to: &bytes)
        endChange(&bytes, isLast: isLast)
        return bytes
    }

    /// Returns the frame of a change for a named stream: the event for each name, then the shared members.
    static func change(
        _ change: Change, _ body: [UInt8], for names: [SubscribedEvent], id: [UInt8]?, isLast: Bool
    ) -> [UInt8] {
        var json = JSONWriter(capacity: 160 + 64 * names.count + body.count)
        if let id { json.bytes = Array("id: ".utf8) + id + Array("\n".utf8) }
        json.bytes += Array("event: change\ndata: ".utf8)
        json.beginObject()
        json.name("for")
        json.beginArray()
        for subscribed in names {
            json.beginObject()
            json.member("name", subscribed.name ?? "")
            json.member("event", ascii: subscribed.event.text)
            if let reason = subscribed.reason ?? reason(of: subscribed.event, change) {
                json.member("reason", ascii: reason.text)
            }
            subscribed.neighbour?.append(to: &json.bytes)
            json.endObject()
        }
        json.endArray()
        json.bytes.append(UInt8(ascii: ","))
        json.bytes += body
        endChange(&json.bytes, isLast: isLast)
        return json.bytes
    }

    private static func endChange(_ bytes: inout [UInt8], isLast: Bool) {
        if isLast { bytes += Array(",\"isLast\":true".utf8) }
        bytes.append(UInt8(ascii: "}"))
        end(&bytes)
    }

    private static func reason(of name: EventName, _ change: Change) -> LeaveReason? {
        name == .leave || name == .hidden ? reason(ofLeaving: change) : nil
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
    static func gone(_ subscribed: SubscribedEvent, _ operation: ChangeOperation) -> [UInt8] {
        gone(subscribed.name ?? "", (subscribed.reason ?? (operation == .deleted ? .deleted : .changed)).text)
    }

    /// Returns the frame that ends a name of a stream, or reports that it could not begin.
    package static func gone(_ name: String, _ reason: StaticString) -> [UInt8] {
        event("gone") { json in
            json.member("name", name)
            json.member("reason", ascii: reason)
        }
    }

    /// Returns the frame with a stream's new revision and the names that begin with it, as of a change.
    package static func subscribed(_ names: [String], revision: Int64, at seq: Int64) -> [UInt8] {
        event("subscribed") { json in
            json.member("revision", revision)
            json.member("seq", seq)
            json.name("names")
            json.beginArray()
            for name in names { json.string(name) }
            json.endArray()
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

    /// Returns an event without an id.
    static func event(_ name: StaticString, _ members: (inout JSONWriter) -> Void) -> [UInt8] {
        var json = JSONWriter(capacity: 160)
        json.bytes = Array("event: \(name)\ndata: ".utf8)
        json.beginObject()
        members(&json)
        json.endObject()
        end(&json.bytes)
        return json.bytes
    }

    /// Returns the data of a frame, without the field name and the line end.
    package static func data(of frame: [UInt8]) -> ArraySlice<UInt8> {
        let name = Array("data: ".utf8)
        var line = frame[...]
        while !line.starts(with: name), let end = line.firstIndex(of: UInt8(ascii: "\n")) { line = line[(end + 1)...] }
        return line.dropFirst(name.count).prefix { $0 != UInt8(ascii: "\n") }
    }

    /// Returns a snapshot: a representation or a page of a list, as one line of JSON. For a named stream it has the
    /// name and the change as of which it is. Without an id it does not move the client's cursor.
    package static func snapshot(_ body: [UInt8], of name: String?, asOf seq: Int64, id: [UInt8]?) -> [UInt8] {
        var json = JSONWriter(capacity: 160 + body.count)
        if let id { json.bytes = Array("id: ".utf8) + id + Array("\n".utf8) }
        json.bytes += Array("event: snapshot\ndata: ".utf8)
        if let name {
            json.beginObject()
            json.member("name", name)
            json.member("seq", seq)
            json.member("value", raw: body)
            json.endObject()
        } else {
            json.bytes += body
        }
        end(&json.bytes)
        return json.bytes
    }

    /// Returns the frame that reports a cursor that cannot be served. A snapshot follows; older events are void.
    package static func reset(reason: String, of name: String? = nil) -> [UInt8] {
        event("reset") { json in
            json.member("name", ifAny: name)
            json.member("reason", reason)
        }
    }

    /// Returns the frame that advances the cursor of a subscriber without an event. Without data it is no event to a
    /// browser. It has a name for clients that make an event of every block.
    package static func bookmark(_ id: [UInt8]) -> [UInt8] {
        var bytes = Array("id: ".utf8) + id + Array("\nevent: bookmark".utf8)
        end(&bytes)
        return bytes
    }

    /// The comment that keeps a quiet connection alive: one line, since some clients make an event of an empty block.
    package static let heartbeat = Array(":\n".utf8)

    /// Returns the first line of a stream, its reconnection time in milliseconds.
    package static func retry(milliseconds: Int) -> [UInt8] { Array("retry: \(milliseconds)\n".utf8) }

    /// Returns an event with an id, from one without.
    package static func with(id: [UInt8], _ frame: [UInt8]) -> [UInt8] {
        Array("id: ".utf8) + id + [UInt8(ascii: "\n")] + frame
    }

    /// Returns an event without its id, so that it does not move the client's cursor.
    static func withoutID(_ frame: [UInt8]) -> [UInt8] {
        guard let end = frame.firstIndex(of: UInt8(ascii: "\n")), frame.starts(with: Array("id: ".utf8)) else {
            return frame
        }
        return Array(frame[(end + 1)...])
    }

    private static func begin(_ id: EventID, _ name: StaticString, capacity: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(capacity)
        bytes += Array("id: ".utf8)
        id.append(to: &bytes)
        bytes += Array("\nevent: ".utf8)
        bytes += UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
        bytes += Array("\ndata: ".utf8)
        return bytes
    }

    private static func end(_ bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\n"))
        bytes.append(UInt8(ascii: "\n"))
    }
}

/// The reason why a list lost a member, or why a stream ended.
enum LeaveReason {
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

    var text: StaticString {
        switch self {
        case .changed: "changed"
        case .deleted: "deleted"
        case .noLongerYours: "noLongerYours"
        case .pushedOut: "pushedOut"
        case .raised: "raised"
        case .undone: "undone"
        }
    }
}
