extension JSONValue: Equatable {
    /// Whether two values say the same, white space, escapes and the order of members aside.
    ///
    /// Numbers are equal by worth (`1.0` and `1`, `-0` and `0`), or, with more digits than 19, when they are written alike.
    /// Strings are equal byte for byte once decoded. Repeated members must be repeated in the same order.
    /// The recursion ends: `JSONLimits.depthMax` bounds it.
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

    /// Compares members sorted by name: with many members, looking up each in the other would take forever.
    private static func membersEqual(_ left: JSONValue, _ right: JSONValue) -> Bool {
        let (left, right) = (left.sortedMembers(), right.sortedMembers())
        guard left.count == right.count else { return false }
        return zip(left, right).allSatisfy {
            $0.name.utf8.elementsEqual($1.name.utf8) && $0.value == $1.value
        }
    }

    /// Sorted by the bytes of their names.
    func sortedMembers() -> [(name: String, value: JSONValue)] {
        members.sorted {
            if $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) { return true }
            if $1.name.utf8.lexicographicallyPrecedes($0.name.utf8) { return false }
            return $0.value.index < $1.value.index
        }
    }
}
