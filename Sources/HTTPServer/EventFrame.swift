/// Frames of `text/event-stream` (the HTML standard, 9.2), encoded once and shared by all streams.
///
/// Data is one line: CR, LF or NUL in any part is a mistake of ours, and gives nil instead of a frame that a client would
/// read as something else.
public enum EventFrame {
    /// `id: …`, `event: …` and `data: …`. Without data it only moves the cursor of the client's `Last-Event-ID`.
    public static func encode(id: [UInt8]?, event: StaticString?, data: [UInt8]?) -> [UInt8]? {
        var frame: [UInt8] = []
        frame.reserveCapacity((id?.count ?? 0) + (data?.count ?? 0) + 64)
        if let id {
            guard isLine(id) else { return nil }
            frame += "id: ".utf8
            frame += id
            frame.append(ASCII.lineFeed)
        }
        if let event {
            frame += "event: ".utf8
            frame.append(contentsOf: UnsafeBufferPointer(start: event.utf8Start, count: event.utf8CodeUnitCount))
            frame.append(ASCII.lineFeed)
        }
        if let data {
            guard isLine(data) else { return nil }
            frame += "data: ".utf8
            frame += data
            frame.append(ASCII.lineFeed)
        }
        frame.append(ASCII.lineFeed)
        return frame
    }

    /// A comment without text: the heartbeat.
    public static let heartbeat: [UInt8] = [ASCII.colon, ASCII.lineFeed, ASCII.lineFeed]

    /// How long a client should wait before it comes back.
    public static func retry(milliseconds: Int) -> [UInt8] { [UInt8]("retry: \(max(0, milliseconds))\n\n".utf8) }

    private static func isLine(_ bytes: [UInt8]) -> Bool {
        for byte in bytes where byte == 0 || byte == ASCII.lineFeed || byte == ASCII.carriageReturn { return false }
        return true
    }
}
