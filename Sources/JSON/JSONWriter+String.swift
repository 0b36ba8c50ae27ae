extension JSONWriter {
    /// Writes a string, escaping only the characters that RFC 8259 section 7 requires to be escaped.
    public mutating func string(_ value: String) {
        var value = value
        value.withUTF8 { escapedString($0) }
    }

    /// Writes valid UTF-8: in one piece if it needs no escapes, otherwise the runs between escapes in bulk.
    private mutating func escapedString(_ text: UnsafeBufferPointer<UInt8>) {
        var end = EightByteWord.plainEnd(of: text, from: 0)
        guard end < text.count else { return quoted(text) }
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        bytes.append(UInt8(ascii: "\""))
        var start = 0
        while true {
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<end]))
            guard end < text.count else { break }
            escape(text[end])
            start = end + 1
            end = EightByteWord.plainEnd(of: text, from: start)
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func escape(_ byte: UInt8) {
        let short: UInt8
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): short = byte
        case 0x08: short = UInt8(ascii: "b")
        case 0x09: short = UInt8(ascii: "t")
        case 0x0A: short = UInt8(ascii: "n")
        case 0x0C: short = UInt8(ascii: "f")
        case 0x0D: short = UInt8(ascii: "r")
        default: return unicodeEscape(byte)
        }
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(short)
    }

    /// Writes `\u00XX`.
    private mutating func unicodeEscape(_ byte: UInt8) {
        bytes += "\\u00".utf8
        for digit in [byte >> 4, byte & 0xF] {
            bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
        }
    }
}
