extension JSONValue: Equatable {
    /// Returns whether two values are equal, ignoring white space, escapes and the order of members.
    ///
    /// Numbers are compared by value (`1.0` equals `1`, `-0` equals `0`), or by their text if they have more than 19
    /// digits. Strings are equal byte for byte after decoding. Repeated members must have the same order.
    /// `JSONLimits.depthMax` bounds the recursion.
    public static func == (left: JSONValue, right: JSONValue) -> Bool {
        let (leftEntry, rightEntry) = (left.entry, right.entry)
        guard leftEntry.kind == rightEntry.kind else { return false }
        switch leftEntry.kind {
        case .null: return true
        case .bool: return leftEntry.flag == rightEntry.flag
        case .number: return numbersEqual(left, right)
        case .string: return rightEntry.isText(left.document.text(of: leftEntry), in: right.document)
        case .array: return elementsEqual(left.elements, right.elements)
        case .object: return membersEqual(left, right)
        }
    }

    private static func numbersEqual(_ left: JSONValue, _ right: JSONValue) -> Bool {
        let (leftEntry, rightEntry) = (left.entry, right.entry)
        if let leftDecimal = left.document.decimal(of: leftEntry),
            let rightDecimal = right.document.decimal(of: rightEntry)
        {
            return leftDecimal == rightDecimal
        }
        return left.document.source(of: leftEntry) == right.document.source(of: rightEntry)
    }

    private static func elementsEqual(_ left: JSONElements, _ right: JSONElements) -> Bool {
        var (left, right) = (left, right)
        while true {
            switch (left.next(), right.next()) {
            case (nil, nil): return true
            case let (leftElement?, rightElement?): if leftElement != rightElement { return false }
            default: return false
            }
        }
    }

    /// Compares members sorted by name. Looking up each member in the other object would take quadratic time.
    private static func membersEqual(_ left: JSONValue, _ right: JSONValue) -> Bool {
        let (left, right) = (left.sortedMembers(), right.sortedMembers())
        guard left.count == right.count else { return false }
        return zip(left, right).allSatisfy {
            $0.name.utf8.elementsEqual($1.name.utf8) && $0.value == $1.value
        }
    }

    func sortedMembers() -> [(name: String, value: JSONValue)] {
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
        guard let decimal = document.decimal(of: entry) else { return "#\(document.source(of: entry));" }
        return "#\(decimal.isNegative ? "-" : "")\(decimal.digits)e\(decimal.exponent);"
    }

    /// Appends a text after its length, so that its end is unambiguous whatever it contains.
    private static func append(_ text: String, to bytes: inout [UInt8]) {
        bytes += "\(text.utf8.count):".utf8
        bytes += text.utf8
    }
}
