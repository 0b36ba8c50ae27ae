import JSON
package import Model

/// Frames of `text/event-stream` (WHATWG HTML, 9.2). A frame is one array of bytes, shared by all who get it.
package enum EventFrame {
    /// Why a list lost a member, or a stream ended.
    enum Reason {
        /// The filter no longer lets it through.
        case changed
        case deleted
        /// It is there, but not for this reader any more.
        case noLongerYours
        /// Others stand before it now, as many as the window shows.
        case pushedOut

        var text: StaticString {
            switch self {
            case .changed: "changed"
            case .deleted: "deleted"
            case .noLongerYours: "noLongerYours"
            case .pushedOut: "pushedOut"
            }
        }
    }

    /// A change under a name. A `leave` says why: unless something else is said, what the change did.
    static func change(_ change: Change, _ name: EventName, epoch: Epoch, reason: Reason? = nil) -> [UInt8] {
        var bytes = begin(EventID(epoch: epoch, seq: change.seq), name.text, capacity: 256 + (change.value?.count ?? 0))
        let reason = reason ?? (name == .leave ? change.operation == .deleted ? .deleted : .changed : nil)
        change.append(to: &bytes, reason: reason?.text)
        end(&bytes)
        return bytes
    }

    /// The data of a frame, without its line's name and end.
    package static func data(of frame: [UInt8]) -> ArraySlice<UInt8> {
        let name = Array("data: ".utf8)
        var line = frame[...]
        while !line.starts(with: name), let end = line.firstIndex(of: UInt8(ascii: "\n")) { line = line[(end + 1)...] }
        return line.dropFirst(name.count).prefix { $0 != UInt8(ascii: "\n") }
    }

    /// What is there now, as of an id: a representation or a page of a list, one line of JSON.
    package static func snapshot(_ body: [UInt8], at id: EventID) -> [UInt8] {
        var bytes = begin(id, "snapshot", capacity: 128 + body.count)
        bytes += body
        end(&bytes)
        return bytes
    }

    /// The cursor cannot be served: a snapshot follows, and everything before it is void.
    package static func reset(reason: String) -> [UInt8] {
        var json = JSONWriter(capacity: 128)
        json.bytes = Array("event: reset\ndata: ".utf8)
        json.beginObject()
        json.name("reason")
        json.string(reason)
        json.endObject()
        end(&json.bytes)
        return json.bytes
    }

    /// Advances the cursor of a subscriber for whom nothing happened. Without data it is no event to a browser; it has a name
    /// for clients that make an event of every block.
    package static func bookmark(_ id: EventID) -> [UInt8] {
        var bytes = Array("id: ".utf8)
        id.append(to: &bytes)
        bytes += Array("\nevent: bookmark".utf8)
        end(&bytes)
        return bytes
    }

    /// Keeps a quiet connection alive. One line: an empty one after it would end a block, of which some clients make an event.
    package static let heartbeat = Array(":\n".utf8)

    /// The first bytes: how long to wait before coming back, in milliseconds. They belong to the first event's block.
    package static func retry(milliseconds: Int) -> [UInt8] { Array("retry: \(milliseconds)\n".utf8) }

    /// Adds a frame of a change. Of several events of one change, such as the cards of one reader over one book, only the last
    /// carries the id: a client that is cut off between them has not advanced, and gets all of them again.
    static func add(_ frame: [UInt8], _ seq: Int64, to frames: inout [[UInt8]], _ lastSent: inout Int64) {
        if lastSent == seq, let last = frames.popLast() { frames.append(withoutID(last)) }
        frames.append(frame)
        lastSent = seq
    }

    /// The same event, without moving the client's cursor.
    private static func withoutID(_ frame: [UInt8]) -> [UInt8] {
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
