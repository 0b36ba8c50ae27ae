import Glibc

extension JSONDocument {
    /// Returns the undecoded text of an entry.
    func source(of entry: JSONStructure.Entry) -> String {
        String(decoding: bytes[Int(entry.start)..<Int(entry.end)], as: UTF8.self)
    }

    /// Returns the decoded text of a string's entry.
    func text(of entry: JSONStructure.Entry) -> String {
        let content = Int(entry.start) + 1..<Int(entry.end) - 1
        guard entry.flag else { return String(decoding: bytes[content], as: UTF8.self) }
        let bytes = bytes
        return Self.decoded(bytes.span.extracting(content))
    }

    /// Returns the decoded content of a string that the parser has accepted.
    private static func decoded(_ text: Span<UInt8>) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var index = 0
        while index < text.count {
            // A surrogate pair is two escapes.
            var units: [UInt16] = []
            while let unit = text.hexUnit(at: index) {
                units.append(unit)
                index += 6
            }
            if !units.isEmpty {
                bytes += String(decoding: units, as: UTF16.self).utf8
            } else if text[index] == UInt8(ascii: "\\"), index + 1 < text.count {
                bytes.append(meaning(of: text[index + 1]))
                index += 2
            } else {
                bytes.append(text[index])
                index += 1
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the character that an escape stands for.
    private static func meaning(of character: UInt8) -> UInt8 {
        switch character {
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        default: character
        }
    }
}

extension JSONStructure.Entry {
    /// Returns whether a string's entry equals a text, byte for byte after decoding.
    func isText(_ text: String, in document: JSONDocument) -> Bool {
        var text = text
        return text.withUTF8 { isText($0, in: document) }
    }

    /// Returns whether a string's entry equals a text, byte for byte after decoding.
    func isText(_ text: UnsafeBufferPointer<UInt8>, in document: JSONDocument) -> Bool {
        let content = Int(start) + 1..<Int(end) - 1
        // An escape only makes the encoded text longer.
        guard content.count >= text.count else { return false }
        if flag { return document.text(of: self).utf8.elementsEqual(text) }
        guard content.count == text.count, let start = text.baseAddress else { return content.count == text.count }
        return document.bytes.withUnsafeBytes { memcmp($0.baseAddress! + content.lowerBound, start, text.count) == 0 }
    }
}
