/// An IP address of 128 bits. An IPv4 address is in `::ffff:0:0/96`, so each machine has only one form.
package struct IPAddress: Hashable, Sendable {
    package let high: UInt64
    package let low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    package static let unspecified = IPAddress(high: 0, low: 0)
    package static let loopback = IPAddress(high: 0, low: 1)

    private static let mapped: UInt64 = 0xFFFF_0000_0000

    package var isIPv4: Bool { high == 0 && low & ~0xFFFF_FFFF == Self.mapped }

    /// The first address of the block that counts as one client: a whole IPv4 address, or the first 64 bits of an IPv6
    /// address.
    package var party: IPAddress { isIPv4 ? self : IPAddress(high: high, low: 0) }

    package init?(_ text: String) {
        var address: IPAddress?
        var text = text
        text.withUTF8 { address = IPAddress(text: RawSpan(_unsafeElements: $0)) }
        guard let address else { return nil }
        self = address
    }

    /// Parses `192.0.2.1`, `2001:db8::1` or `::ffff:192.0.2.1`, as `inet_pton` does: without a zone, a port, or
    /// brackets.
    package init?(text: RawSpan) {
        let isIPv6 = text.byteOffsets.contains { text[$0] == UInt8(ascii: ":") }
        if isIPv6 { self.init(ipv6: text) } else { self.init(ipv4: text) }
    }

    private init?(ipv4 text: RawSpan) {
        guard let number = Self.quad(text, from: 0) else { return nil }
        self.init(high: 0, low: Self.mapped | number)
    }

    private init?(ipv6 text: RawSpan) {
        var words = IPv6Words()
        var index = 0
        if text.byteCount >= 2, text[0] == UInt8(ascii: ":") {
            guard text[1] == UInt8(ascii: ":") else { return nil }
            words.leaveOut()
            index = 2
        }
        while index < text.byteCount {
            let start = index
            var value: UInt64 = 0
            while index < text.byteCount, let digit = text[index].hexValue {
                value = value << 4 | UInt64(digit)
                index += 1
                if index - start > 4 { return nil }
            }
            if index < text.byteCount, text[index] == UInt8(ascii: ".") {
                guard let number = Self.quad(text, from: start) else { return nil }
                guard words.add(number >> 16), words.add(number & 0xFFFF) else { return nil }
                break
            }
            guard index > start, words.add(value) else { return nil }
            if index == text.byteCount { break }
            guard text[index] == UInt8(ascii: ":"), index + 1 < text.byteCount else { return nil }
            index += 1
            if text[index] == UInt8(ascii: ":") {
                guard words.leaveOut() else { return nil }
                index += 1
            }
        }
        guard let address = words.address else { return nil }
        self = address
    }

    /// Parses four numbers up to 255 with dots between them, up to the end of the text. No number may begin with a 0,
    /// which some programs read as octal.
    private static func quad(_ text: RawSpan, from start: Int) -> UInt64? {
        var number: UInt64 = 0
        var index = start
        for part in 0..<4 {
            if part > 0 {
                guard index < text.byteCount, text[index] == UInt8(ascii: ".") else { return nil }
                index += 1
            }
            let first = index
            var value: UInt64 = 0
            while index < text.byteCount, text[index].isDigit, index - first < 3 {
                value = value * 10 + UInt64(text[index] &- UInt8(ascii: "0"))
                index += 1
            }
            guard index > first, value < 256, index - first == 1 || text[first] != UInt8(ascii: "0") else {
                return nil
            }
            number = number << 8 | value
        }
        return index == text.byteCount ? number : nil
    }
}

/// The eight words of an IPv6 address, of which one run of zeros may be omitted.
private struct IPv6Words {
    private var before = IPAddress.unspecified
    private var count = 0
    private var gap: Int?

    /// Appends a word. Returns `false` if there are eight already.
    mutating func add(_ word: UInt64) -> Bool {
        guard count < 8 else { return false }
        before = IPAddress(high: before.high << 16 | before.low >> 48, low: before.low << 16 | word)
        count += 1
        return true
    }

    /// Marks the place of the omitted zeros. Returns `false` if there is one already.
    @discardableResult
    mutating func leaveOut() -> Bool {
        guard gap == nil else { return false }
        gap = count
        return true
    }

    /// The complete address, or `nil` while words are missing, or if the gap has no word left to fill.
    var address: IPAddress? {
        guard let gap else { return count == 8 ? before : nil }
        guard count < 8 else { return nil }
        // The words after the gap are in place; shift those before it up.
        let tail = (count - gap) * 16
        let all = UInt128(before.high) << 64 | UInt128(before.low)
        let mask: UInt128 = (1 << UInt128(tail)) - 1
        let whole = (all & ~mask) << UInt128(128 - count * 16) | all & mask
        return IPAddress(high: UInt64(truncatingIfNeeded: whole >> 64), low: UInt64(truncatingIfNeeded: whole))
    }
}

extension IPAddress: CustomStringConvertible {
    /// The text form of RFC 5952, in which the first longest run of zeros is omitted.
    package var description: String {
        if isIPv4 { return "\(low >> 24 & 255).\(low >> 16 & 255).\(low >> 8 & 255).\(low & 255)" }
        let words = [high, low].flatMap { half in
            (0..<4).map { (part: Int) -> UInt64 in (half >> UInt64(48 - 16 * part)) & 0xFFFF }
        }
        var longest = 0..<0
        var start = 0
        while start < 8 {
            let end = words[start...].firstIndex { $0 != 0 } ?? 8
            if end - start > max(1, longest.count) { longest = start..<end }
            start = end + 1
        }
        func text(_ range: Range<Int>) -> String {
            words[range].map { String($0, radix: 16) }.joined(separator: ":")
        }
        return longest.isEmpty ? text(0..<8) : text(0..<longest.lowerBound) + "::" + text(longest.upperBound..<8)
    }
}

extension RawSpan {
    @inline(__always)
    fileprivate subscript(_ offset: Int) -> UInt8 { unsafeLoad(fromByteOffset: offset, as: UInt8.self) }
}
