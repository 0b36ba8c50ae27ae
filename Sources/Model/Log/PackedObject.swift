import Bytes

/// The compact form of a JSON object, as the log stores the values of readings and entries. It takes about a quarter of
/// the text's size, and is converted back to exactly the same text.
///
/// It is the text with tokens for what takes most space: names, ids, times and words. A token is a byte that the text
/// cannot contain, because `JSONWriter` escapes the bytes 0 to 31, and UTF-8 does not have those from 0xF8 on.
public enum PackedObject {
    /// The names that take one byte, which is their index, below 29. The order is part of the stored form: new names are
    /// added at the end.
    ///
    /// A name's token includes the quotation marks, the colon, and the comma before all members but the first.
    static let names: [[UInt8]] = [
        "id", "version", "reader", "book", "reading", "number", "isReread", "state", "isFinished", "progress", "page",
        "pageCount", "note", "device", "latestEntry", "latestEntryAt", "finishedAt", "happenedAt", "receivedAt",
        "edition", "position", "noteId", "startedAt", "createdAt", "updatedAt", "absent", "text",
    ].map { (name: String) in Array(name.utf8) }

    /// The names in quotation marks.
    static let quotedNames = names.map { Array("\"".utf8) + $0 + Array("\"".utf8) }

    /// A number for each name, by which names are compared first; see `nameKey`.
    static let nameKeys = names.map { $0.withUnsafeBufferPointer(nameKey) }

    /// Returns a number that differs for most names: the length and three bytes.
    static func nameKey(_ name: UnsafeBufferPointer<UInt8>) -> UInt32 {
        guard let first = name.first, let last = name.last else { return 0 }
        return UInt32(truncatingIfNeeded: name.count) << 24 | UInt32(name[name.count / 2]) << 16 | UInt32(first) << 8
            | UInt32(last)
    }

    /// The tokens of values. Those below 32 follow the names' indices.
    enum Token: UInt8 {
        /// A text that is one of the names, whose index follows.
        case name = 0x1D
        /// The time in the changed resource's id (RFC 9562, 5.7).
        case changedResourceTime = 0x1E
        /// The time in the last id before, or without one in the changed resource's id.
        case lastTime = 0x1F
        /// A UUID in lower case, whose sixteen bytes follow.
        case id = 0xF8
        /// The id of the changed resource.
        case changedResourceID = 0xF9
        /// An RFC 3339 time in UTC with milliseconds. Six bytes follow: the milliseconds since 1970.
        case instant = 0xFA
        /// The change's own number.
        case changeSequenceNumber = 0xFB
        case null = 0xFC
        case `false` = 0xFD
        case `true` = 0xFE
        /// As the first byte: the text follows as it is, because it is not an object in the form that `JSONWriter`
        /// writes.
        case text = 0xFF
    }

    /// Returns the packed form of an object, which is the value of a change.
    public static func pack(_ json: [UInt8], id: ResourceID, seq: Int64) -> [UInt8] {
        return json.withUnsafeBufferPointer { text in
            // Without an early exit, so that it is compiled to vector instructions.
            var most: UInt8 = 0
            for byte in text { most = max(most, byte &- 0x20) }
            guard text.first == UInt8(ascii: "{"), most < Token.id.rawValue - 0x20 else {
                return [Token.text.rawValue] + json
            }
            var packer = ObjectPacker(text, id: id, seq: seq)
            return packer.run()
        }
    }

    /// Returns the text of a packed object, or `nil` if the bytes are not one.
    public static func unpack(_ packed: UnsafeRawBufferPointer, id: ResourceID, seq: Int64) -> [UInt8]? {
        guard packed.first != Token.text.rawValue else { return Array(packed.dropFirst()) }
        guard packed.first == UInt8(ascii: "{") else { return nil }
        var unpacker = ObjectUnpacker(packed, id: id, seq: seq)
        return unpacker.run()
    }
}
