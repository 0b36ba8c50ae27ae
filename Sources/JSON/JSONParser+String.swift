extension JSONParser {
    /// Parses the string at the position (RFC 8259 section 7) and records whether it has escapes.
    @_lifetime(self: copy self)
    mutating func string() throws(JSONError) {
        let start = position
        var hasEscapes = false
        position += 1
        while true {
            position = bytes.withUnsafeBufferPointer { EightByteWord.plainEnd(of: $0, from: position) }
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
