/// Preconditions (RFC 9110, 13.1). Tags include their quotes.
package enum EntityTagPrecondition {
    /// Calls `body` with each tag in the fields of a name, and whether it is weak. Skips elements that are not tags.
    package static func each(
        in name: StaticString, of request: borrowing Request, _ body: (_ tag: RawSpan, _ isWeak: Bool) -> Void
    ) -> PreconditionValueKind {
        var occurrence = 0
        while let value = request.field(name, occurrence: occurrence) {
            occurrence += 1
            if value.bytes.equals("*") { return .any }
            var elements = CommaSeparatedField(value.bytes)
            while let element = elements.next() {
                let isWeak = element.count > 2 && element[0] == UInt8(ascii: "W") && element[1] == ASCII.slash
                let tag = isWeak ? element.extracting(2..<element.count) : element
                guard tag.count > 1, tag[0] == ASCII.quote, tag[tag.count - 1] == ASCII.quote else { continue }
                body(tag.bytes, isWeak)
            }
        }
        return occurrence == 0 ? .absent : .tags
    }

    /// Returns whether `If-None-Match` contains the tag or is `*`; GET and HEAD are then answered with 304. The
    /// comparison is weak: it ignores `W/`.
    package static func ifNoneMatch(_ request: borrowing Request, has tag: RawSpan) -> Bool {
        var isThere = false
        let listed = each(in: "if-none-match", of: request) { other, _ in
            isThere = isThere || other.withUnsafeBytes { left in tag.withUnsafeBytes { left.elementsEqual($0) } }
        }
        return isThere || listed == .any
    }
}

/// The kind of value that a precondition field has.
package enum PreconditionValueKind: Sendable, Equatable {
    case absent
    /// `*`, which matches any representation.
    case any
    case tags
}
