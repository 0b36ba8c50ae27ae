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
        // No escape is shorter than its character, so the decoded text fits into the encoded one's length.
        return String(unsafeUninitializedCapacity: content.count) { buffer in
            Self.decode(bytes.span.extracting(content), into: buffer)
        }
    }

    /// Decodes the content of a string that the parser has accepted, and returns the number of bytes written.
    private static func decode(_ text: Span<UInt8>, into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
        var read = 0
        var written = 0
        func put(_ byte: UInt8) {
            // This check is explicit because release builds do not check buffer pointers.
            guard written < buffer.count else { return }
            buffer[written] = byte
            written += 1
        }
        while read < text.count {
            guard text[read] == UInt8(ascii: "\\"), read + 1 < text.count else {
                put(text[read])
                read += 1
                continue
            }
            if text[read + 1] == UInt8(ascii: "u") {
                let scalar = scalar(text, at: &read)
                for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter { put(byte) }
            } else {
                put(meaning(of: text[read + 1]))
                read += 2
            }
        }
        return written
    }

    /// Returns the scalar of the one or two `\uXXXX` at an index, and moves the index after them.
    private static func scalar(_ text: Span<UInt8>, at index: inout Int) -> Unicode.Scalar {
        let replacement: Unicode.Scalar = "\u{FFFD}"
        let first = UInt32(text.hexUnit(at: index) ?? 0xFFFD)
        index += 6
        guard (0xD800...0xDBFF).contains(first) else { return Unicode.Scalar(first) ?? replacement }
        guard let second = text.hexUnit(at: index), (0xDC00...0xDFFF).contains(second) else { return replacement }
        index += 6
        return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + UInt32(second) - 0xDC00) ?? replacement
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
        guard content.count == text.count else { return false }
        for index in 0..<text.count where document.bytes[content.lowerBound + index] != text[index] { return false }
        return true
    }
}
