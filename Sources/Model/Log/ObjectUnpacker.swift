import JSON

/// A converter of a packed object to JSON text. It never traps, whatever the bytes.
struct ObjectUnpacker {
    private let packed: UnsafeRawBufferPointer
    private let id: ResourceID
    private let seq: Int64
    private var offset = 0
    private var last = -1

    init(_ packed: UnsafeRawBufferPointer, id: ResourceID, seq: Int64) {
        (self.packed, self.id, self.seq) = (packed, id, seq)
    }

    /// Returns the text, or `nil` if the bytes are not a packed object.
    mutating func run() -> [UInt8]? {
        var json = JSONWriter(capacity: packed.count * 4)
        json.beginObject()
        while offset < packed.count {
            guard let first = byte(), let tag = PackedObject.Tag(rawValue: first >> 4), name(first & 0xF, &json),
                value(tag, &json)
            else { return nil }
        }
        json.endObject()
        return json.bytes
    }

    private mutating func name(_ code: UInt8, _ json: inout JSONWriter) -> Bool {
        let names = PackedObject.names
        switch code {
        case PackedObject.nameFollows:
            guard let name = counted() else { return false }
            json.name(String(decoding: name, as: UTF8.self))
            return true
        case PackedObject.indexFollows:
            guard let index = byte() else { return false }
            last = Int(index)
        default: last += Int(code) + 1
        }
        guard last < names.count else { return false }
        json.name(String(decoding: names[last], as: UTF8.self))
        return true
    }

    private mutating func value(_ tag: PackedObject.Tag, _ json: inout JSONWriter) -> Bool {
        switch tag {
        case .null: json.null()
        case .false: json.bool(false)
        case .true: json.bool(true)
        case .changedResourceID: json.id(id)
        case .changeSequenceNumber: json.integer(seq)
        case .id:
            guard let id = take(16).flatMap({ ResourceID(bytes: $0) }) else { return false }
            json.id(id)
        case .instant:
            guard let bytes = take(6) else { return false }
            json.instant(Instant(milliseconds: bytes.reduce(0) { $0 << 8 | Int64($1) }))
        case .integer:
            guard let number = number() else { return false }
            json.integer(number)
        case .fraction: return fraction(&json)
        case .string:
            guard let content = counted() else { return false }
            json.raw(Array("\"".utf8) + content + Array("\"".utf8))
        case .text:
            guard let text = counted() else { return false }
            json.raw(Array(text))
        }
        return true
    }

    private mutating func fraction(_ json: inout JSONWriter) -> Bool {
        guard let count = byte(), let decimals = number() else { return false }
        let digits = String(decimals)
        guard digits.utf8.count <= count else { return false }
        json.raw(Array("0.\(String(repeating: "0", count: Int(count) - digits.utf8.count))\(digits)".utf8))
        return true
    }

    // MARK: Bytes

    private mutating func byte() -> UInt8? {
        guard offset < packed.count else { return nil }
        offset += 1
        return packed[offset - 1]
    }

    private mutating func take(_ count: Int) -> UnsafeRawBufferPointer? {
        guard packed.count - offset >= count else { return nil }
        offset += count
        return UnsafeRawBufferPointer(rebasing: packed[offset - count..<offset])
    }

    private mutating func counted() -> UnsafeRawBufferPointer? {
        guard let count = number(), count <= packed.count else { return nil }
        return take(Int(count))
    }

    /// Reads a variable-length number of at most 63 bits at the offset.
    private mutating func number() -> Int64? {
        var number: UInt64 = 0
        for shift in stride(from: 0, through: 56, by: 7) {
            guard let byte = byte() else { return nil }
            number |= UInt64(byte & 0x7F) << UInt64(shift)
            if byte < 0x80 { return Int64(number) }
        }
        return nil
    }
}
