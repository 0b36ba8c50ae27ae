/// Preconditions (RFC 9110, 13.1). A tag is given as it is sent, with its quotes.
package enum EntityTag {
    /// What a precondition field says.
    package enum Listed: Sendable, Equatable {
        case absent
        /// `*`: whatever there is.
        case any
        case tags
    }

    /// Gives each tag that the fields of that name list, and whether it is weak; what is no tag is skipped.
    package static func each(
        in name: StaticString, of request: borrowing Request, _ body: (_ tag: RawSpan, _ isWeak: Bool) -> Void
    ) -> Listed {
        var occurrence = 0
        while let value = request.field(name, occurrence: occurrence) {
            occurrence += 1
            if value.bytes.equals("*") { return .any }
            var elements = FieldList(value.bytes)
            while let element = elements.next() {
                let isWeak = element.count > 2 && element[0] == UInt8(ascii: "W") && element[1] == ASCII.slash
                let tag = isWeak ? element.extracting(2..<element.count) : element
                guard tag.count > 1, tag[0] == ASCII.quote, tag[tag.count - 1] == ASCII.quote else { continue }
                body(tag.bytes, isWeak)
            }
        }
        return occurrence == 0 ? .absent : .tags
    }

    /// Whether `If-None-Match` has the tag, or is `*`: then GET and HEAD are answered 304. It compares weakly: `W/` makes no
    /// difference.
    package static func ifNoneMatch(_ request: borrowing Request, has tag: RawSpan) -> Bool {
        var isThere = false
        let listed = each(in: "if-none-match", of: request) { other, _ in
            isThere = isThere || same(other.bytes, tag.bytes)
        }
        return isThere || listed == .any
    }

    private static func same(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
        guard left.count == right.count else { return false }
        for index in left.indices where left[index] != right[index] { return false }
        return true
    }
}
