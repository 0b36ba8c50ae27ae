extension JSONValue {
    /// Appends bytes that are the same for equal values and differ for others: no white space, members sorted by name, numbers
    /// by their worth, strings decoded. For digests, not for clients.
    ///
    /// The recursion ends: `JSONLimits.depthMax` bounds it.
    public func appendCanonical(to bytes: inout [UInt8]) {
        let entry = entry
        switch entry.kind {
        case .null: bytes.append(UInt8(ascii: "n"))
        case .bool: bytes.append(entry.flag ? UInt8(ascii: "t") : UInt8(ascii: "f"))
        case .number: bytes += number(entry).utf8
        case .string: Self.append(document.text(of: entry), to: &bytes)
        case .array:
            bytes.append(UInt8(ascii: "["))
            for element in elements { element.appendCanonical(to: &bytes) }
            bytes.append(UInt8(ascii: "]"))
        case .object:
            bytes.append(UInt8(ascii: "{"))
            for (name, value) in sortedMembers() {
                Self.append(name, to: &bytes)
                value.appendCanonical(to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    /// As equality has it: by worth, or as it is written when it has more digits than 19.
    private func number(_ entry: Tape.Entry) -> String {
        guard let decimal = document.decimal(of: entry) else { return "#\(document.source(of: entry));" }
        return "#\(decimal.isNegative ? "-" : "")\(decimal.digits)e\(decimal.exponent);"
    }

    /// A text with its length before it, so that where it ends cannot be said within it.
    private static func append(_ text: String, to bytes: inout [UInt8]) {
        bytes += "\(text.utf8.count):".utf8
        bytes += text.utf8
    }
}
