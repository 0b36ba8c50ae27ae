import Bytes

/// The compact binary form of a JSON object, as the log stores the values of readings and entries. It takes about a
/// quarter of the text's size, and is converted back to exactly the same text.
///
/// Each member is one byte, whose high half is the value's tag and whose low half tells the name, followed by the
/// value. Names in `names` are told by their distance from the name before, so that one byte suffices for members in
/// the usual order. Numbers are variable-length: seven bits a byte, the lowest first.
public enum PackedObject {
    /// The names that take no space. The order is part of the stored form: new names are added at the end.
    static let names: [[UInt8]] = [
        "id", "version", "reader", "book", "reading", "number", "isReread", "state", "isFinished", "progress", "page",
        "pageCount", "note", "device", "latestEntry", "latestEntryAt", "finishedAt", "happenedAt", "receivedAt",
        "edition", "position", "noteId", "startedAt", "createdAt", "updatedAt", "absent", "text",
    ].map { (name: String) in Array(name.utf8) }

    /// The kind of a member's value.
    enum Tag: UInt8 {
        case null = 0
        case `false` = 1
        case `true` = 2
        /// The sixteen bytes of a UUID in lower case.
        case id = 3
        /// Six bytes: the milliseconds since 1970 of an RFC 3339 time in UTC with milliseconds.
        case instant = 4
        /// The length, and the characters between the quotation marks, as in the text.
        case string = 5
        /// A whole number that is not negative.
        case integer = 6
        /// The number of decimals and the decimals of a number that begins with `0.`.
        case fraction = 7
        /// The length, and any other value as in the text.
        case text = 8
        /// The id of the changed resource.
        case changedResourceID = 9
        /// The change's own number.
        case changeSequenceNumber = 10
    }

    /// The low half of a member's first byte if the name's index follows.
    static let indexFollows: UInt8 = 14
    /// The low half of a member's first byte if the length and characters of the name follow.
    static let nameFollows: UInt8 = 15

    /// The first byte if the text follows as it is, because it has another form than `JSONWriter` writes.
    private static let textFollows: UInt8 = 0xFF

    /// Returns the packed form of an object, which is the value of a change.
    public static func pack(_ json: [UInt8], id: ResourceID, seq: Int64) -> [UInt8] {
        let packed = json.withUnsafeBufferPointer { text in
            var packer = ObjectPacker(text, id: id, seq: seq)
            return packer.run()
        }
        return packed ?? [textFollows] + json
    }

    /// Returns the text of a packed object, or `nil` if the bytes are not one.
    public static func unpack(_ packed: UnsafeRawBufferPointer, id: ResourceID, seq: Int64) -> [UInt8]? {
        guard packed.first != textFollows else { return Array(packed.dropFirst()) }
        var unpacker = ObjectUnpacker(packed, id: id, seq: seq)
        return unpacker.run()
    }
}
