import Bytes

/// The bytes that have a meaning in HTTP, and its character classes.
enum ASCII {
    static let tab: UInt8 = 9
    static let lineFeed: UInt8 = 10
    static let carriageReturn: UInt8 = 13
    static let space: UInt8 = 32
    static let quote: UInt8 = 34
    static let percent: UInt8 = 37
    static let comma: UInt8 = 44
    static let slash: UInt8 = 47
    static let colon: UInt8 = 58
    static let semicolon: UInt8 = 59
    static let equals: UInt8 = 61
    static let question: UInt8 = 63
    static let backslash: UInt8 = 92

    /// Returns whether a byte is in a set, which is given as 64 bits for the bytes below 64 and 64 bits for the rest of
    /// ASCII. Such a set needs no table and no initialization.
    @inline(__always)
    private static func isIn(_ low: UInt64, _ high: UInt64, _ byte: UInt8) -> Bool {
        let set: UInt64 = byte < 64 ? low : byte < 128 ? high : 0
        return (set >> UInt64(byte & 63)) & 1 == 1
    }

    /// Returns whether a byte is a `tchar` (RFC 9110, 5.6.2).
    @inline(__always)
    static func isToken(_ byte: UInt8) -> Bool { isIn(0x03FF_6CFA_0000_0000, 0x57FF_FFFF_C7FF_FFFE, byte) }

    /// Returns whether a byte may occur in a registered name: unreserved, sub-delims and % (RFC 3986, 3.2.2).
    @inline(__always)
    static func isRegisteredName(_ byte: UInt8) -> Bool { isIn(0x2BFF_7FF2_0000_0000, 0x47FF_FFFE_87FF_FFFE, byte) }

    /// Returns whether a byte may occur in a path or query: the bytes of a registered name, and : @ / ? (RFC 3986, 3.3
    /// and 3.4).
    @inline(__always)
    static func isTarget(_ byte: UInt8) -> Bool { isIn(0xAFFF_FFF2_0000_0000, 0x47FF_FFFE_87FF_FFFF, byte) }

    /// Returns whether a byte may occur in a field value: visible characters, space, tab and obs-text, but no other
    /// control character.
    @inline(__always)
    static func isText(_ byte: UInt8) -> Bool {
        (byte >= 0x20 && byte != 0x7F) || byte == tab
    }

    @inline(__always)
    static func isSpace(_ byte: UInt8) -> Bool { byte == space || byte == tab }
}

extension RawSpan {
    /// The bytes as a span, which has a subscript.
    var bytes: Span<UInt8> {
        @_lifetime(copy self)
        @inline(__always)
        get {
            // SAFETY: every bit pattern is a UInt8, and the span has the same extent and the same lifetime.
            Span<UInt8>(_bytes: self)
        }
    }
}

extension Span<UInt8> {
    /// Returns whether the % at an index begins an escape (RFC 3986, 2.1).
    @inline(__always)
    func isEscape(at index: Int) -> Bool {
        index &+ 2 < count && self[index &+ 1].hexValue != nil && self[index &+ 2].hexValue != nil
    }

    /// Returns whether the bytes equal a text.
    @inline(__always)
    func equals(_ text: StaticString) -> Bool {
        guard count == text.utf8CodeUnitCount else { return false }
        let start = text.utf8Start
        for index in 0..<count where self[index] != start[index] { return false }
        return true
    }

    /// Returns whether the bytes equal a text, ignoring the case of ASCII letters.
    @inline(__always)
    func equalsIgnoringCase(_ text: StaticString) -> Bool {
        guard count == text.utf8CodeUnitCount else { return false }
        let start = text.utf8Start
        for index in 0..<count where self[index].lowercased != start[index].lowercased { return false }
        return true
    }

    /// Returns the bytes without leading and trailing spaces and tabs.
    @_lifetime(copy self)
    func trimmed() -> Span<UInt8> {
        var start = 0
        var end = count
        while start < end, ASCII.isSpace(self[start]) { start += 1 }
        while end > start, ASCII.isSpace(self[end - 1]) { end -= 1 }
        return extracting(start..<end)
    }
}
