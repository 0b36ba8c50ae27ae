import Bytes
import JSON

/// A converter of a JSON text to its packed form, in one pass over the text.
struct ObjectPacker {
    private let text: UnsafeBufferPointer<UInt8>
    private let id: ResourceID
    /// The digits of the change's number.
    private let seq: [UInt8]
    private let names = PackedObject.names
    private let keys = PackedObject.nameKeys
    private var offset = 0
    private var packed: [UInt8] = []
    /// The offset up to which the text has been packed.
    private var done = 0
    /// The index of the last packed name, or -1 before the first.
    private var last = -1
    /// The last id in the text, or the changed resource's.
    private var lastID: ResourceID

    init(_ text: UnsafeBufferPointer<UInt8>, id: ResourceID, seq: Int64) {
        (self.text, self.id, lastID) = (text, id, id)
        var digits: [UInt8] = []
        appendDigits(of: seq, to: &digits)
        self.seq = digits
        packed.reserveCapacity(text.count / 2)
    }

    /// Returns the packed form. A text that is not JSON is converted, too.
    mutating func run() -> [UInt8] {
        while offset < text.count {
            switch text[offset] {
            case UInt8(ascii: "\""): string()
            case UInt8(ascii: "0")...UInt8(ascii: "9"): number()
            case UInt8(ascii: "n"): word("null", .null)
            case UInt8(ascii: "f"): word("false", .false)
            case UInt8(ascii: "t"): word("true", .true)
            default: offset += 1
            }
        }
        packed.append(contentsOf: text[done...])
        return packed
    }

    /// Puts a token in place of the text from `start` to the offset.
    private mutating func put(_ token: UInt8, from start: Int) {
        if done < start { packed.append(contentsOf: UnsafeBufferPointer(rebasing: text[done..<start])) }
        packed.append(token)
        done = offset
    }

    private mutating func put(_ token: PackedObject.Token, from start: Int) { put(token.rawValue, from: start) }

    private mutating func string() {
        let start = offset
        var end = EightByteWord.plainEnd(of: text, from: start + 1)
        while end < text.count, text[end] != UInt8(ascii: "\"") {
            end = EightByteWord.plainEnd(of: text, from: min(end + 2, text.count))
        }
        offset = min(end + 1, text.count)
        guard end < text.count else { return }
        let content = UnsafeBufferPointer(rebasing: text[start + 1..<end])
        if offset < text.count, text[offset] == UInt8(ascii: ":") {
            name(content, from: start)
        } else if let id = ResourceID(text: RawSpan(_unsafeBytes: UnsafeRawBufferPointer(content)), anyCase: false) {
            lastID = id
            guard id != self.id else { return put(.changedResourceID, from: start) }
            put(.id, from: start)
            id.withBytes { packed.append(contentsOf: $0) }
        } else if content.count == 24, let time = time(content) {
            if time == self.id.milliseconds { return put(.changedResourceTime, from: start) }
            if time == lastID.milliseconds { return put(.lastTime, from: start) }
            put(.instant, from: start)
            withUnsafeBytes(of: time.bigEndian) { packed.append(contentsOf: $0.dropFirst(2)) }
        } else if let index = index(ofName: content) {
            put(.name, from: start)
            packed.append(UInt8(index))
        }
    }

    /// Puts a name that begins at `start` and has a colon at the offset.
    private mutating func name(_ content: UnsafeBufferPointer<UInt8>, from start: Int) {
        let isFirst = start > 0 && text[start - 1] == UInt8(ascii: "{")
        let isNext = start > 1 && text[start - 1] == UInt8(ascii: ",") && text[start - 2] != UInt8(ascii: "{")
        guard isFirst || isNext, let index = index(ofName: content) else { return }
        last = index
        offset += 1
        put(UInt8(index), from: isFirst ? start : start - 1)
    }

    /// Returns the index of a name in `PackedObject.names`, or `nil`. Searches after `last` first, because most objects
    /// have the listed order.
    private func index(ofName name: UnsafeBufferPointer<UInt8>) -> Int? {
        let key = PackedObject.nameKey(name)
        var index = last
        for _ in keys {
            index = index + 1 < keys.count ? index + 1 : 0
            if keys[index] == key {
                return names[index].withUnsafeBytes { hasSameBytes($0, UnsafeRawBufferPointer(name)) } ? index : nil
            }
        }
        return nil
    }

    private mutating func number() {
        let start = offset
        while offset < text.count, text[offset].isDigit { offset += 1 }
        if offset - start == seq.count, text[start..<offset].elementsEqual(seq) {
            put(.changeSequenceNumber, from: start)
        }
    }

    private mutating func word(_ word: StaticString, _ token: PackedObject.Token) {
        let bytes = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
        guard text.count - offset >= bytes.count, bytes.indices.allSatisfy({ text[offset + $0] == bytes[$0] }) else {
            return offset += 1
        }
        offset += bytes.count
        put(token, from: offset - bytes.count)
    }

    /// Returns the milliseconds of a time in the form `2026-11-21T09:30:00.000Z`, not before 1970. A text of this length
    /// that ends in `Z` has three decimals.
    private func time(_ text: UnsafeBufferPointer<UInt8>) -> Int64? {
        // A small `t` and a leap second are other texts for the same time.
        guard text[10] == UInt8(ascii: "T"), text[17] < UInt8(ascii: "6"), text[23] == UInt8(ascii: "Z"),
            let time = Instant(utf8: text)?.milliseconds, time >= 0
        else { return nil }
        return time
    }
}
