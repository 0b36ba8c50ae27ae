import Bytes

/// A converter of one JSON object to its packed form, in one pass over the text.
struct ObjectPacker {
    private let text: UnsafeBufferPointer<UInt8>
    private let id: ResourceID
    private let seq: Int64
    private var offset = 0
    private var packed: [UInt8] = []
    /// The index in `PackedObject.names` of the last packed name that is listed there, or -1 before the first.
    private var last = -1

    init(_ text: UnsafeBufferPointer<UInt8>, id: ResourceID, seq: Int64) {
        (self.text, self.id, self.seq) = (text, id, seq)
        packed.reserveCapacity(text.count / 2)
    }

    /// Returns the packed form, or `nil` if the text is not an object in the form that `JSONWriter` writes.
    mutating func run() -> [UInt8]? {
        guard take("{") else { return nil }
        if take("}") { return offset == text.count ? packed : nil }
        repeat {
            guard let name = string(), !text[name].contains(UInt8(ascii: "\\")), take(":"), member(name) else {
                return nil
            }
        } while take(",")
        return take("}") && offset == text.count ? packed : nil
    }

    // MARK: Members

    private mutating func member(_ name: Range<Int>) -> Bool {
        guard offset < text.count else { return false }
        switch text[offset] {
        case UInt8(ascii: "n"): return word("null") && put(.null, name)
        case UInt8(ascii: "f"): return word("false") && put(.false, name)
        case UInt8(ascii: "t"): return word("true") && put(.true, name)
        case UInt8(ascii: "\""):
            guard let content = string() else { return false }
            return putString(content, name)
        default:
            guard let value = other() else { return false }
            return putNumber(value, name) || put(.text, name, bytes: value)
        }
    }

    private mutating func putString(_ content: Range<Int>, _ name: Range<Int>) -> Bool {
        if content.count == 36, let id = lowercaseID(content) {
            guard id != self.id else { return put(.changedResourceID, name) }
            _ = put(.id, name)
            id.withBytes { packed.append(contentsOf: $0) }
            return true
        }
        if content.count == 24, let time = time(content) {
            _ = put(.instant, name)
            for shift in stride(from: 40, through: 0, by: -8) {
                packed.append(UInt8(truncatingIfNeeded: time >> shift))
            }
            return true
        }
        return put(.string, name, bytes: content)
    }

    /// Puts a whole number, or a fraction between 0 and 1; returns whether the value is one.
    private mutating func putNumber(_ value: Range<Int>, _ name: Range<Int>) -> Bool {
        guard value.count <= 18 else { return false }
        if let number = digits(value) {
            guard value.count == 1 || text[value.lowerBound] != UInt8(ascii: "0") else { return false }
            guard number != seq else { return put(.changeSequenceNumber, name) }
            _ = put(.integer, name)
            put(UInt64(number))
            return true
        }
        guard value.count > 2, text[value.lowerBound] == UInt8(ascii: "0"),
            text[value.lowerBound + 1] == UInt8(ascii: "."),
            let decimals = digits(value.lowerBound + 2..<value.upperBound)
        else { return false }
        _ = put(.fraction, name)
        packed.append(UInt8(value.count - 2))
        put(UInt64(decimals))
        return true
    }

    private mutating func put(_ tag: PackedObject.Tag, _ name: Range<Int>) -> Bool {
        let high = tag.rawValue << 4
        guard let index = index(of: name) else {
            packed.append(high | PackedObject.nameFollows)
            put(UInt64(name.count))
            packed.append(contentsOf: text[name])
            return true
        }
        let distance = index - last - 1
        last = index
        guard distance < 0 || distance >= Int(PackedObject.indexFollows) else {
            packed.append(high | UInt8(distance))
            return true
        }
        packed.append(high | PackedObject.indexFollows)
        packed.append(UInt8(index))
        return true
    }

    private mutating func put(_ tag: PackedObject.Tag, _ name: Range<Int>, bytes: Range<Int>) -> Bool {
        _ = put(tag, name)
        put(UInt64(bytes.count))
        packed.append(contentsOf: text[bytes])
        return true
    }

    private mutating func put(_ number: UInt64) {
        var rest = number
        while rest > 0x7F {
            packed.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        packed.append(UInt8(rest))
    }

    /// Returns the index of a name in `PackedObject.names`, or `nil`. Searches after `last` first, because most objects
    /// have the listed order.
    private func index(of name: Range<Int>) -> Int? {
        let names = PackedObject.names
        for index in last + 1..<names.count where equals(name, names[index]) { return index }
        for index in 0..<last + 1 where equals(name, names[index]) { return index }
        return nil
    }

    // MARK: Text

    private func equals(_ range: Range<Int>, _ bytes: [UInt8]) -> Bool {
        range.count == bytes.count && text[range].elementsEqual(bytes)
    }

    private mutating func take(_ sign: Unicode.Scalar) -> Bool {
        guard offset < text.count, UInt32(text[offset]) == sign.value else { return false }
        offset += 1
        return true
    }

    private mutating func word(_ word: StaticString) -> Bool {
        guard text.count - offset >= word.utf8CodeUnitCount else { return false }
        for place in 0..<word.utf8CodeUnitCount where text[offset + place] != word.utf8Start[place] { return false }
        offset += word.utf8CodeUnitCount
        return true
    }

    /// Reads a string at the offset, and returns the range between its quotation marks.
    private mutating func string() -> Range<Int>? {
        guard take("\"") else { return nil }
        let start = offset
        while offset < text.count, text[offset] != UInt8(ascii: "\"") {
            offset += text[offset] == UInt8(ascii: "\\") ? 2 : 1
        }
        guard offset < text.count else { return nil }
        offset += 1
        return start..<offset - 1
    }

    /// Reads a number, an array or an object at the offset, and returns its range.
    private mutating func other() -> Range<Int>? {
        let start = offset
        var depth = 0
        while offset < text.count {
            switch text[offset] {
            case UInt8(ascii: "\""):
                guard string() != nil else { return nil }
                continue
            case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: ",") where depth == 0: return start..<offset
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                if depth == 0 { return start..<offset }
                depth -= 1
            default: break
            }
            offset += 1
        }
        return nil
    }

    /// Returns the number that a range of digits says, or `nil` if another character is among them.
    private func digits(_ range: Range<Int>) -> Int64? {
        guard !range.isEmpty else { return nil }
        var number: Int64 = 0
        for offset in range {
            guard text[offset].isDigit else { return nil }
            number = number * 10 + Int64(text[offset] - UInt8(ascii: "0"))
        }
        return number
    }

    private func lowercaseID(_ range: Range<Int>) -> ResourceID? {
        let bytes = UnsafeBufferPointer(rebasing: text[range])
        guard !bytes.contains(where: { (UInt8(ascii: "A")...UInt8(ascii: "F")).contains($0) }) else { return nil }
        return ResourceID(text: RawSpan(_unsafeBytes: UnsafeRawBufferPointer(bytes)))
    }

    /// Returns the milliseconds of a time in the form `2026-11-21T09:30:00.000Z`, not before 1970. A text of this length
    /// that ends in `Z` has three decimals.
    private func time(_ range: Range<Int>) -> Int64? {
        let text = UnsafeBufferPointer(rebasing: text[range])
        // A small `t` and a leap second are other texts for the same time.
        guard text[10] == UInt8(ascii: "T"), text[17] < UInt8(ascii: "6"), text[23] == UInt8(ascii: "Z"),
            let time = Instant(utf8: text)?.milliseconds, time >= 0
        else { return nil }
        return time
    }
}
