extension Parser {
    /// Reads the string that begins here (RFC 8259 section 7) and notes whether it has escapes.
    @_lifetime(self: copy self)
    mutating func string() throws(JSONError) {
        let start = position
        var hasEscapes = false
        position += 1
        while true {
            skipPlain()
            guard position < bytes.count else { throw JSONError(offset: start, reason: "an unfinished string") }
            switch bytes[position] {
            case UInt8(ascii: "\""):
                position += 1
                tape.append(.string, from: start, to: position, flag: hasEscapes)
                return
            case UInt8(ascii: "\\"):
                hasEscapes = true
                try escape(inStringAt: start)
            case 0x00..<0x20: throw error("a control character in a string")
            default: try character()
            }
        }
    }

    /// Steps over the ASCII characters that stand for themselves, eight at a time.
    @inline(__always)
    @_lifetime(self: copy self)
    private mutating func skipPlain() {
        let text = bytes.bytes
        while position + 8 <= text.byteCount {
            // Safe: any eight bytes are a UInt64, and the bounds are checked.
            let word = text.unsafeLoadUnaligned(fromByteOffset: position, as: UInt64.self)
            let marks = Word.escapesOrNonASCII(in: UInt64(littleEndian: word))
            position += Word.firstMarked(marks)
            if marks != 0 { return }
        }
        while position < bytes.count {
            switch bytes[position] {
            case 0x00..<0x20, UInt8(ascii: "\""), UInt8(ascii: "\\"), 0x80...: return
            default: position += 1
            }
        }
    }

    // MARK: - Escapes

    @_lifetime(self: copy self)
    private mutating func escape(inStringAt start: Int) throws(JSONError) {
        guard position + 1 < bytes.count else { throw JSONError(offset: start, reason: "an unfinished string") }
        switch bytes[position + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            position += 2
        case UInt8(ascii: "u"): try unicodeEscape()
        default: throw error("an unknown escape")
        }
    }

    /// Reads `\uXXXX`, and the second half when it is the first half of a surrogate pair.
    @_lifetime(self: copy self)
    private mutating func unicodeEscape() throws(JSONError) {
        guard let unit = bytes.hexUnit(at: position) else { throw error("an escape without four hexadecimal digits") }
        switch unit {
        case 0xD800...0xDBFF:
            guard let second = bytes.hexUnit(at: position + 6), (0xDC00...0xDFFF).contains(second) else {
                throw error("a lone surrogate")
            }
            position += 12
        case 0xDC00...0xDFFF: throw error("a lone surrogate")
        default: position += 6
        }
    }

    // MARK: - UTF-8

    /// Steps over one character outside ASCII: exactly the sequences of table 3-7 of the Unicode standard.
    @_lifetime(self: copy self)
    private mutating func character() throws(JSONError) {
        let length: Int
        var second: ClosedRange<UInt8> = 0x80...0xBF
        switch bytes[position] {
        case 0xC2...0xDF: length = 2
        case 0xE0:
            length = 3
            second = 0xA0...0xBF
        case 0xED:
            length = 3
            second = 0x80...0x9F
        case 0xE1...0xEF: length = 3
        case 0xF0:
            length = 4
            second = 0x90...0xBF
        case 0xF1...0xF3: length = 4
        case 0xF4:
            length = 4
            second = 0x80...0x8F
        default: throw error("a byte that is not UTF-8")
        }
        guard position + length <= bytes.count, second.contains(bytes[position + 1]) else {
            throw error("a byte that is not UTF-8")
        }
        for index in 2..<max(length, 2) where bytes[position + index] & 0xC0 != 0x80 {
            throw error("a byte that is not UTF-8")
        }
        position += length
    }
}

extension Span<UInt8> {
    /// The UTF-16 unit of a `\uXXXX` at an index; nil when that is not what stands there.
    func hexUnit(at index: Int) -> UInt16? {
        guard index + 6 <= count, self[index] == UInt8(ascii: "\\"), self[index + 1] == UInt8(ascii: "u") else {
            return nil
        }
        var unit: UInt16 = 0
        for digit in index + 2..<index + 6 {
            switch self[digit] {
            case let byte where (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte):
                unit = unit << 4 | UInt16(byte - UInt8(ascii: "0"))
            case let byte where (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20):
                unit = unit << 4 | UInt16((byte | 0x20) - UInt8(ascii: "a") + 10)
            default: return nil
            }
        }
        return unit
    }
}
