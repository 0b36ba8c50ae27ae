import Bytes

/// An iterator over a list from its end. The element that the last proxy appended comes first, and malformed text
/// before it, such as half a quotation, does not affect it.
struct CommaSeparatedFieldFromEnd: ~Escapable {
    private let value: Span<UInt8>
    private let knowsQuotes: Bool
    private var end: Int

    @_lifetime(copy value)
    init(_ value: Span<UInt8>, knowsQuotes: Bool) {
        self.value = value
        self.knowsQuotes = knowsQuotes
        end = value.count
    }

    /// Returns the previous element, skipping empty ones.
    @_lifetime(copy self)
    mutating func next() -> Span<UInt8>? {
        while end >= 0 {
            var start = end
            var isQuoted = false
            while start > 0, isQuoted || value[start - 1] != ASCII.comma {
                start -= 1
                if knowsQuotes, value[start] == ASCII.quote, !isEscaped(start) { isQuoted.toggle() }
            }
            let element = value.extracting(start..<end).trimmed()
            end = start - 1
            if !element.isEmpty { return element }
        }
        return nil
    }

    private func isEscaped(_ index: Int) -> Bool {
        var first = index
        while first > 0, value[first - 1] == ASCII.backslash { first -= 1 }
        return (index - first) % 2 == 1
    }
}

/// Parsing of addresses as proxies write them.
enum ForwardedAddress {
    /// Parses `192.0.2.1`, `192.0.2.1:4711`, `2001:db8::1`, `[2001:db8::1]` or `[2001:db8::1]:4711`.
    static func address(of hop: Span<UInt8>) -> IPAddress? {
        if hop.isEmpty { return nil }
        if hop[0] == UInt8(ascii: "[") {
            guard let close = hop.indices.first(where: { hop[$0] == UInt8(ascii: "]") }) else { return nil }
            let inside = hop.extracting(1..<close)
            guard inside.indices.contains(where: { inside[$0] == ASCII.colon }) else { return nil }
            return isPort(hop.extracting((close + 1)...)) ? IPAddress(text: inside.bytes) : nil
        }
        let colons = hop.indices.filter { hop[$0] == ASCII.colon }
        guard colons.count == 1 else { return IPAddress(text: hop.bytes) }
        guard isPort(hop.extracting(colons[0]...)) else { return nil }
        return IPAddress(text: hop.extracting(..<colons[0]).bytes)
    }

    /// Parses the node of the parameter `for` (RFC 7239, 4). Returns `nil` unless there is exactly one with an address;
    /// `unknown` and `_hidden` have none.
    static func address(ofForwarded hop: Span<UInt8>) -> IPAddress? {
        var pairs = CommaSeparatedField(hop, separator: ASCII.semicolon)
        var found: IPAddress?
        while let pair = pairs.next() {
            guard pair.count > 4, pair.extracting(..<4).equalsIgnoringCase("for=") else { continue }
            var node = pair.extracting(4...)
            if node[0] == ASCII.quote {
                guard node.count > 2, node[node.count - 1] == ASCII.quote else { return nil }
                node = node.extracting(1..<(node.count - 1))
            }
            guard found == nil, let address = address(of: node) else { return nil }
            found = address
        }
        return found
    }

    /// Returns whether a text is empty, or a colon and a port, which may be obfuscated (RFC 7239, 6).
    private static func isPort(_ text: Span<UInt8>) -> Bool {
        if text.isEmpty { return true }
        guard text[0] == ASCII.colon, (2...20).contains(text.count) else { return false }
        let port = text.extracting(1...)
        if port[0] == UInt8(ascii: "_") { return port.indices.allSatisfy { ASCII.isToken(port[$0]) } }
        return DigitParser.decimal(port.bytes, max: 65535) != nil
    }
}
