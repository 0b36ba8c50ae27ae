/// Walks a comma-separated field value (RFC 9110, 5.6.1): commas within quoted strings do not separate, empty elements
/// are skipped, the space around elements is not part of them.
struct FieldList: ~Escapable {
    private let value: Span<UInt8>
    private var position = 0
    private let separator: UInt8

    @_lifetime(copy value)
    init(_ value: Span<UInt8>, separator: UInt8 = ASCII.comma) {
        self.value = value
        self.separator = separator
    }

    @_lifetime(copy self)
    mutating func next() -> Span<UInt8>? {
        while position < value.count {
            let start = position
            var quoted = false
            while position < value.count, quoted || value[position] != separator {
                let byte = value[position]
                if byte == ASCII.quote { quoted.toggle() }
                if quoted, byte == ASCII.backslash { position += 1 }
                position += 1
            }
            let end = min(position, value.count)
            position = end + 1
            let element = value.extracting(start..<end).trimmed()
            if !element.isEmpty { return element }
        }
        return nil
    }
}
