import Bytes

/// Parsing of field lines (RFC 9112, 5), and of the few fields that concern the connection itself.
extension RequestHead {
    mutating func takeField(_ bytes: Span<UInt8>, _ lineEnd: Int) throws(RequestRefusal) {
        if ASCII.isSpace(bytes[lineStart]) { throw .malformed(.fieldValue) }
        var index = lineStart
        while index < lineEnd, ASCII.isToken(bytes[index]) { index &+= 1 }
        guard index > lineStart, index < lineEnd, bytes[index] == ASCII.colon else { throw .malformed(.fieldName) }
        let nameEnd = index
        var valueStart = index + 1
        var valueEnd = lineEnd
        while valueStart < valueEnd, ASCII.isSpace(bytes[valueStart]) { valueStart &+= 1 }
        while valueEnd > valueStart, ASCII.isSpace(bytes[valueEnd - 1]) { valueEnd &-= 1 }
        let line = FieldLine(name: ByteRange(lineStart, nameEnd), value: ByteRange(valueStart, valueEnd))
        // SAFETY: the caller has checked that fieldCount < fieldsMax.
        fields[fieldCount] = line
        fieldCount += 1
        let name = bytes.extracting(lineStart..<nameEnd)
        let value = bytes.extracting(valueStart..<valueEnd)
        switch name.count {
        case 4 where name.equalsIgnoringCase("host"): try takeHost(value, line.value)
        case 6 where name.equalsIgnoringCase("expect"): try takeExpect(value)
        case 10 where name.equalsIgnoringCase("connection"): takeConnection(value)
        case 14 where name.equalsIgnoringCase("content-length"): try takeLength(value)
        case 17 where name.equalsIgnoringCase("transfer-encoding"): try takeTransferEncoding(value)
        default: break
        }
    }

    /// Takes the complete field lines of a request that is refused, also those after its fault.
    mutating func takeFields(ofRefused bytes: Span<UInt8>) {
        if bytes.count > 4, bytes.extracting(0..<4).equals("GET ") { method = .get }
        var lineEnd = 0
        for index in bytes.indices.dropFirst()
        where bytes[index] == ASCII.lineFeed && bytes[index - 1] == ASCII.carriageReturn {
            // The first line is the request line. An empty line ends the fields.
            if lineEnd > 0, index - 1 == lineStart || fieldCount == fieldsMax { return }
            lineEnd = index - 1
            // The fault is known already.
            if lineStart > 0 { try? takeField(bytes, lineEnd) }
            lineStart = index + 1
        }
    }

    private mutating func takeHost(_ value: Span<UInt8>, _ stretch: ByteRange) throws(RequestRefusal) {
        hostCount += 1
        if hostCount > 1 { throw .malformed(.hostRepeated) }
        guard Self.isHost(value) else { throw .malformed(.host) }
        if authority.count == 0 { authority = stretch }
    }

    private mutating func takeExpect(_ value: Span<UInt8>) throws(RequestRefusal) {
        guard value.equalsIgnoringCase("100-continue") else { throw RequestRefusal(.expectationUnknown) }
        expectsContinue = true
    }

    private mutating func takeConnection(_ value: Span<UInt8>) {
        var options = CommaSeparatedField(value)
        while let option = options.next() {
            if option.equalsIgnoringCase("close") { asksClose = true }
            if option.equalsIgnoringCase("keep-alive") { asksKeepAlive = true }
        }
    }

    private mutating func takeLength(_ value: Span<UInt8>) throws(RequestRefusal) {
        // A valid number that exceeds an Int means that the body is too large.
        for index in value.indices where !value[index].isDigit { throw .malformed(.contentLength) }
        if value.isEmpty { throw .malformed(.contentLength) }
        guard let length = DigitParser.decimal(value.bytes, max: Int.max) else { throw RequestRefusal(.bodyTooLarge) }
        if case .length(let before) = framing, before != length { throw .malformed(.contentLengthRepeated) }
        framing = .length(length)
    }

    private mutating func takeTransferEncoding(_ value: Span<UInt8>) throws(RequestRefusal) {
        transferCodings += 1
        guard transferCodings == 1, value.equalsIgnoringCase("chunked") else { throw .malformed(.transferEncoding) }
    }
}

extension Request {
    /// Calls `body` with each element of the comma-separated fields with this name.
    func forEachElement(of name: StaticString, _ body: (Span<UInt8>) -> Void) {
        var occurrence = 0
        while let value = field(name, occurrence: occurrence) {
            occurrence += 1
            var elements = CommaSeparatedField(value.bytes)
            while let element = elements.next() { body(element) }
        }
    }
}

/// An iterator over a comma-separated field value (RFC 9110, 5.6.1). Commas within quoted strings do not separate. It
/// skips empty elements and trims spaces.
struct CommaSeparatedField: ~Escapable {
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
