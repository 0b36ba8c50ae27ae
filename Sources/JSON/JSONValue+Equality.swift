extension JSONValue: Equatable {
    /// Returns whether two values are equal, ignoring white space, escapes and the order of members.
    ///
    /// Numbers are compared by value (`1.0` equals `1`, `-0` equals `0`), or by their text if they have more than 19
    /// digits. Strings are equal byte for byte after decoding. Repeated members must have the same order.
    public static func == (left: JSONValue, right: JSONValue) -> Bool { left.canonical == right.canonical }

    private var canonical: [UInt8] {
        var bytes: [UInt8] = []
        appendCanonical(to: &bytes)
        return bytes
    }

    private func sortedMembers() -> [(name: String, value: JSONValue)] {
        members.sorted {
            if $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) { return true }
            if $1.name.utf8.lexicographicallyPrecedes($0.name.utf8) { return false }
            return $0.value.index < $1.value.index
        }
    }
}

extension JSONValue {
    /// Appends bytes that are the same for equal values and different for others. They have no white space, members
    /// sorted by name, numbers by value, and decoded strings. They are for digests, not for clients.
    ///
    /// `JSONLimits.depthMax` bounds the recursion.
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

    /// Returns a number's canonical text: its value, or its own text if it has more than 19 digits.
    private func number(_ entry: JSONStructure.Entry) -> String {
        let text = document.source(of: entry)
        guard let decimal = ExactDecimal(text) else { return "#\(text);" }
        return "#\(decimal.isNegative ? "-" : "")\(decimal.digits)e\(decimal.exponent);"
    }

    /// Appends a text after its length, so that its end is unambiguous whatever it contains.
    private static func append(_ text: String, to bytes: inout [UInt8]) {
        bytes += "\(text.utf8.count):".utf8
        bytes += text.utf8
    }
}
