/// The head parser (RFC 9112, 2 to 6): line by line, strict, and resumable at any byte.
extension RequestHead {
    /// Parses a request's received bytes, from its first one. Returns `false` if the head is incomplete: call it again
    /// with more bytes.
    mutating func parse(_ bytes: Span<UInt8>, _ limits: borrowing HTTPLimits) throws(RequestRefusal) -> Bool {
        while phase != .body {
            let index = Self.lineEnd(bytes, from: scanned)
            scanned = index
            try demandLimit(index, limits)
            if index == bytes.count { return false }
            guard bytes[index] == ASCII.carriageReturn else { throw .malformed(.controlCharacter) }
            if index + 1 == bytes.count { return false }
            guard bytes[index + 1] == ASCII.lineFeed else { throw .malformed(.controlCharacter) }
            try takeLine(bytes, index, limits)
            lineStart = index + 2
            scanned = lineStart
        }
        return true
    }

    /// Returns the index of the first byte that is not text.
    @inline(__always)
    private static func lineEnd(_ bytes: Span<UInt8>, from start: Int) -> Int {
        var index = start
        while index < bytes.count, ASCII.isText(bytes[index]) { index &+= 1 }
        return index
    }

    private func demandLimit(_ index: Int, _ limits: borrowing HTTPLimits) throws(RequestRefusal) {
        if phase == .requestLine {
            if index - lineStart > limits.requestLineBytesMax { throw RequestRefusal(.requestLineTooLong) }
        } else if index - fieldsStart > limits.headBytesMax {
            throw RequestRefusal(.fieldsTooLong)
        }
    }

    private mutating func takeLine(
        _ bytes: Span<UInt8>, _ lineEnd: Int, _ limits: borrowing HTTPLimits
    ) throws(RequestRefusal) {
        if phase == .requestLine {
            if lineEnd == lineStart {
                // Empty lines before a request are ignored (RFC 9112, 2.2), but not for ever.
                if lineStart >= 16 { throw .malformed(.requestLine) }
                return
            }
            try takeRequestLine(bytes, lineEnd)
            fieldsStart = lineEnd + 2
            phase = .fields
        } else if lineEnd == lineStart {
            try decideFraming(limits)
            end = lineEnd + 2
            phase = .body
        } else {
            if fieldCount == fieldsMax { throw RequestRefusal(.tooManyFields) }
            try takeField(bytes, lineEnd)
        }
    }

    /// Determines from all fields how the body is delimited (RFC 9112, 6.3). Refuses missing or contradictory fields,
    /// and a body that is too large.
    private mutating func decideFraming(_ limits: borrowing HTTPLimits) throws(RequestRefusal) {
        if hostCount == 0, !isHTTP10 { throw .malformed(.hostMissing) }
        if transferCodings > 0 {
            if isHTTP10 { throw .malformed(.transferEncodingIn10) }
            if framing != .none { throw .malformed(.bothLengths) }
            framing = .chunked
            chunks = ChunkDecoder()
        }
        if case .length(let length) = framing, length > limits.bodyBytesMax { throw RequestRefusal(.bodyTooLarge) }
        // Without a length the end of such a request is unknown (RFC 1945, 7.2.2).
        if isHTTP10, framing == .none, method == .post || method == .put || method == .patch {
            throw RequestRefusal(.lengthRequired)
        }
        if isHTTP10 { expectsContinue = false }
    }
}
