extension JSONParser {
    /// Parses the string at the position (RFC 8259 section 7) and records whether it has escapes.
    @_lifetime(self: copy self)
    mutating func string() throws(JSONError) {
        let start = position
        var hasEscapes = false
        position += 1
        while true {
            skipPlain()
            guard position < bytes.count else { throw unfinished("string", from: start) }
            switch bytes[position] {
            case UInt8(ascii: "\""):
                position += 1
                tape.append(.string, from: start, to: position, flag: hasEscapes)
                return
            case UInt8(ascii: "\\"):
                hasEscapes = true
                try escape(inStringAt: start)
            default: throw error("a control character in a string")
            }
        }
    }

    /// Skips the bytes of characters that need no escape, eight at a time.
    @inline(__always)
    @_lifetime(self: copy self)
    private mutating func skipPlain() {
        let text = bytes.bytes
        var index = position
        while index + 8 <= text.byteCount {
            // SAFETY: any eight bytes are a UInt64, and the bounds are checked.
            let word = text.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self)
            let marks = EightByteWord.escapes(in: UInt64(littleEndian: word))
            if marks != 0 {
                position = index + EightByteWord.firstMarked(marks)
                return
            }
            index += 8
        }
        skip: while index < bytes.count {
            switch bytes[index] {
            case 0x00..<0x20, UInt8(ascii: "\""), UInt8(ascii: "\\"): break skip
            default: index += 1
            }
        }
        position = index
    }

    // MARK: - Escapes

    @_lifetime(self: copy self)
    private mutating func escape(inStringAt start: Int) throws(JSONError) {
        guard position + 1 < bytes.count else { throw unfinished("string", from: start) }
        switch bytes[position + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            position += 2
        case UInt8(ascii: "u"): try unicodeEscape()
        default: throw error("an unknown escape")
        }
    }

    /// Parses `\uXXXX`, and the second half if it is the first half of a surrogate pair.
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
}
