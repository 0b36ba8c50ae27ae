import JSON

/// A value whose text is ASCII that needs no escapes in JSON.
public protocol PlainText: CustomStringConvertible {
    /// Appends the text.
    func append(to bytes: inout [UInt8])
}

extension PlainText {
    /// The bytes of the text.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return bytes
    }

    public var description: String { String(decoding: bytes, as: UTF8.self) }
}

extension JSONWriter {
    /// Writes the text of a value as a string.
    mutating func string(_ value: some PlainText) {
        string("")
        bytes.removeLast()
        value.append(to: &bytes)
        bytes.append(UInt8(ascii: "\""))
    }
}
