/// Preconditions (RFC 9110, 13.1). A tag is given as it is sent, with its quotes.
package enum EntityTag {
    /// What a precondition field says about the current tag.
    package enum Precondition: Sendable, Equatable {
        case absent
        /// The tag is in the list, or the list is `*`.
        case matches
        case differs
    }

    /// `If-None-Match`: compares weakly (`W/` makes no difference). On `matches` GET and HEAD are answered 304, others 412.
    package static func ifNoneMatch(_ request: borrowing Request, _ tag: RawSpan) -> Precondition {
        precondition("if-none-match", request, tag, isWeak: true)
    }

    /// `If-Match`: compares strongly (a weak tag never matches). On `differs` the answer is 412.
    package static func ifMatch(_ request: borrowing Request, _ tag: RawSpan) -> Precondition {
        precondition("if-match", request, tag, isWeak: false)
    }

    /// Whether a list of tags (a field's value) has this tag, or is `*`.
    package static func list(_ value: RawSpan, has tag: RawSpan, isWeak: Bool) -> Bool {
        if value.bytes.equals("*") { return true }
        var elements = FieldList(value.bytes)
        while let element = elements.next() {
            let marked = element.count > 2 && element[0] == UInt8(ascii: "W") && element[1] == ASCII.slash
            if marked && !isWeak { continue }
            if same(marked ? element.extracting(2..<element.count) : element, tag.bytes) { return true }
        }
        return false
    }

    private static func precondition(
        _ name: StaticString, _ request: borrowing Request, _ tag: RawSpan, isWeak: Bool
    ) -> Precondition {
        var occurrence = 0
        while let value = request.field(name, occurrence: occurrence) {
            if list(value, has: tag, isWeak: isWeak) { return .matches }
            occurrence += 1
        }
        return occurrence == 0 ? .absent : .differs
    }

    private static func same(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
        guard left.count == right.count else { return false }
        for index in left.indices where left[index] != right[index] { return false }
        return true
    }
}
