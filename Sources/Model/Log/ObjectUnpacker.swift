/// A converter of a packed object to JSON text. It never traps, whatever the bytes.
struct ObjectUnpacker {
    private let packed: UnsafeRawBufferPointer
    private let id: ResourceID
    private let seq: Int64
    private let names = PackedObject.quotedNames
    private var offset = 0
    private var text: [UInt8] = []
    /// The last id in the text, or the changed resource's.
    private var lastID: ResourceID

    init(_ packed: UnsafeRawBufferPointer, id: ResourceID, seq: Int64) {
        (self.packed, self.id, self.seq, lastID) = (packed, id, seq, id)
        text.reserveCapacity(packed.count * 5)
    }

    /// Returns the text, or `nil` if the bytes are not a packed object.
    mutating func run() -> [UInt8]? {
        while offset < packed.count {
            let byte = packed[offset]
            offset += 1
            if let token = PackedObject.Token(rawValue: byte) {
                guard value(token) else { return nil }
            } else if byte >= 0x20 {
                text.append(byte)
            } else {
                guard byte < names.count else { return nil }
                if text.last != UInt8(ascii: "{") { text.append(UInt8(ascii: ",")) }
                text += names[Int(byte)]
                text.append(UInt8(ascii: ":"))
            }
        }
        return text
    }

    private mutating func value(_ token: PackedObject.Token) -> Bool {
        switch token {
        case .null: put("null")
        case .false: put("false")
        case .true: put("true")
        case .changedResourceID:
            lastID = id
            put(id)
        case .changedResourceTime: put(Instant(milliseconds: id.milliseconds))
        case .lastTime: put(Instant(milliseconds: lastID.milliseconds))
        case .name:
            guard let index = take(1)?.first, index < names.count else { return false }
            text += names[Int(index)]
        case .changeSequenceNumber: appendDigits(of: seq, to: &text)
        case .id:
            guard let id = take(16).flatMap({ ResourceID(bytes: $0) }) else { return false }
            lastID = id
            put(id)
        case .instant:
            guard let bytes = take(6) else { return false }
            put(Instant(milliseconds: bytes.reduce(0) { $0 << 8 | Int64($1) }))
        case .text: return false
        }
        return true
    }

    private mutating func put(_ word: StaticString) {
        text.append(contentsOf: UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
    }

    private mutating func put(_ value: some PlainText) {
        text.append(UInt8(ascii: "\""))
        value.append(to: &text)
        text.append(UInt8(ascii: "\""))
    }

    private mutating func take(_ count: Int) -> UnsafeRawBufferPointer? {
        guard packed.count - offset >= count else { return nil }
        offset += count
        return UnsafeRawBufferPointer(rebasing: packed[offset - count..<offset])
    }
}
