/// An incremental parser of `text/event-stream` (WHATWG HTML, 9.2.6), which accepts chunks of any size.
struct EventParser {
    /// An error for lines without an end.
    struct TooLong: Error {}

    /// The last id of the complete blocks; empty if there was none.
    private(set) var lastID: String
    /// The delay before reconnecting, if the stream sets one.
    private(set) var retryMilliseconds: Int?

    private let bytesMax: Int
    private var line: [UInt8] = []
    private var isAfterReturn = false
    private var isAtStart = true
    private var name: [UInt8] = []
    private var data: [UInt8]?
    private var saidID: String?

    init(lastID: String = "", bytesMax: Int = 64 << 20) {
        self.lastID = lastID
        self.bytesMax = bytesMax
    }

    /// Parses more of the stream, and returns the blocks that end in it.
    mutating func take(_ bytes: some Sequence<UInt8>) throws(TooLong) -> [EventBlock] {
        var blocks: [EventBlock] = []
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "\n") where isAfterReturn: isAfterReturn = false
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                isAfterReturn = byte == UInt8(ascii: "\r")
                if let block = endLine() { blocks.append(block) }
            default:
                isAfterReturn = false
                guard line.count + (data?.count ?? 0) < bytesMax else { throw TooLong() }
                line.append(byte)
            }
        }
        return blocks
    }

    private mutating func endLine() -> EventBlock? {
        defer { line.removeAll(keepingCapacity: true) }
        var line = line[...]
        if isAtStart {
            isAtStart = false
            if line.starts(with: [0xEF, 0xBB, 0xBF]) { line = line.dropFirst(3) }
        }
        if line.isEmpty { return endBlock() }
        let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
        // A line that begins with a colon is a comment.
        guard colon > line.startIndex else { return nil }
        var value = line[colon...].dropFirst()
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        take(field: String(decoding: line[..<colon], as: UTF8.self), value)
        return nil
    }

    private mutating func take(field: String, _ value: ArraySlice<UInt8>) {
        switch field {
        case "event": name = Array(value)
        case "data":
            if data != nil { data?.append(UInt8(ascii: "\n")) }
            data = (data ?? []) + value
        case "id":
            if !value.contains(0) { saidID = String(decoding: value, as: UTF8.self) }
        case "retry":
            let isNumber = !value.isEmpty && value.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            // A number that does not fit counts as the maximum.
            if isNumber { retryMilliseconds = Int(String(decoding: value, as: UTF8.self)) ?? .max }
        default: break
        }
    }

    private mutating func endBlock() -> EventBlock? {
        defer { (name, data, saidID) = ([], nil, nil) }
        guard data != nil || saidID != nil else { return nil }
        lastID = saidID ?? lastID
        let name = name.isEmpty ? "message" : String(decoding: name, as: UTF8.self)
        return EventBlock(name: name, data: data, hasID: saidID != nil, lastID: lastID)
    }
}

/// The fields up to an empty line.
struct EventBlock: Equatable {
    /// The event's name; `message` by default.
    var name: String
    /// The data, or `nil` if there is none. Then the block is not an event, and only moves the cursor.
    var data: [UInt8]?
    /// A Boolean value indicating whether the block has its own id.
    var hasID: Bool
    /// The last id up to the block's end.
    var lastID: String
}
