/// The known fields of a request that is refused before it was completely read or parsed.
struct RefusedRequest {
    /// The index in `AllowedOrigins` of the request's origin, or -1.
    private(set) var origin = -1
    private(set) var asksStream = false
    /// The request ID that the client chose.
    private(set) var id: RequestID?

    /// Reads the complete lines of the request's head.
    init(_ bytes: UnsafeRawBufferPointer, _ origins: AllowedOrigins?) {
        // SAFETY: the span does not outlive the call.
        let bytes = unsafe Span<UInt8>(_unsafeBytes: bytes)
        guard var start = Self.end(ofLine: bytes, 0) else { return }
        var acceptsStream = false
        var idCount = 0
        var hasToken = false
        while let end = Self.end(ofLine: bytes, start) {
            let line = bytes.extracting(start..<end)
            start = end
            guard let colon = line.indices.first(where: { line[$0] == ASCII.colon }) else { break }
            let name = line.extracting(0..<colon)
            let value = line.extracting((colon + 1)..<(line.count - 2)).trimmed()
            if name.equalsIgnoringCase("origin") { origin = origins?.number(value.bytes) ?? -1 }
            if name.equalsIgnoringCase("authorization") { hasToken = true }
            if name.equalsIgnoringCase("x-request-id") {
                idCount += 1
                id = idCount == 1 ? RequestID(value.bytes) : nil
            }
            if name.equalsIgnoringCase("accept") { acceptsStream = acceptsStream || Self.hasStream(value) }
        }
        asksStream = acceptsStream && !hasToken && bytes.count > 4 && bytes.extracting(0..<4).equals("GET ")
    }

    private static func hasStream(_ value: Span<UInt8>) -> Bool {
        var elements = CommaSeparatedField(value)
        while let element = elements.next() {
            if MediaType.matches(element.bytes, "text/event-stream") { return true }
        }
        return false
    }

    /// Returns the index after the CR LF that ends the line, or `nil` if the line is incomplete.
    private static func end(ofLine bytes: Span<UInt8>, _ start: Int) -> Int? {
        var index = start + 1
        while index < bytes.count {
            if bytes[index] == ASCII.lineFeed, bytes[index - 1] == ASCII.carriageReturn { return index + 1 }
            index += 1
        }
        return nil
    }
}
