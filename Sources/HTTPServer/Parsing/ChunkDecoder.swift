import Bytes

/// A decoder of chunked bodies (RFC 9112, 7.1). It works in place and can resume at any byte.
struct ChunkDecoder {
    var state = ChunkDecoderState.sizeStart
    /// The number of bytes of the current chunk that are still missing.
    private var remaining = 0
    private var digits = 0
    private var extensionBytes = 0
    private var trailerBytes = 0
    private var trailerCount = 0
    /// The number of bytes of the decoded body so far.
    private(set) var count = 0

    /// Decodes the bytes at `read..<end` to `write...` and advances both. `write` is never greater than `read`. It
    /// consumes all bytes up to the end of the body.
    mutating func decode(
        _ base: UnsafeMutableRawPointer, read: inout Int, write: inout Int, end: Int, _ limits: borrowing HTTPLimits
    ) throws(RequestRefusal) -> Bool {
        while read < end {
            if state == .data {
                // SAFETY: write <= read, and read + taken <= end: both stretches lie within the caller's bytes.
                let taken = min(remaining, end - read)
                if write != read { (base + write).copyMemory(from: base + read, byteCount: taken) }
                read += taken
                write += taken
                count += taken
                remaining -= taken
                if remaining == 0 { state = .dataEnd }
                continue
            }
            let byte = base.load(fromByteOffset: read, as: UInt8.self)
            read += 1
            try take(byte, limits)
            if state == .done { return true }
        }
        return false
    }

    private mutating func take(_ byte: UInt8, _ limits: borrowing HTTPLimits) throws(RequestRefusal) {
        switch state {
        case .sizeStart, .size: try takeSize(byte, limits)
        case .sizeLineFeed:
            try expect(byte, ASCII.lineFeed, .chunkSize)
            state = remaining == 0 ? .trailerStart : .data
        case .dataEnd:
            try expect(byte, ASCII.carriageReturn, .chunkEnd)
            state = .dataLineFeed
        case .dataLineFeed:
            try expect(byte, ASCII.lineFeed, .chunkEnd)
            state = .sizeStart
        case .trailerStart, .trailerName, .trailerValue, .trailerLineFeed, .lastLineFeed:
            try takeTrailer(byte, limits)
        case .data, .done: break
        default: try takeExtension(byte, limits)
        }
    }

    private func expect(_ byte: UInt8, _ wanted: UInt8, _ fault: RequestSyntaxError) throws(RequestRefusal) {
        if byte != wanted { throw .malformed(fault) }
    }

    private mutating func takeSize(_ byte: UInt8, _ limits: borrowing HTTPLimits) throws(RequestRefusal) {
        if state == .sizeStart {
            remaining = 0
            digits = 0
            extensionBytes = 0
        }
        if let value = byte.hexValue {
            digits += 1
            // Sixteen digits express any size; longer numbers can only be meant to overflow.
            if digits > 16 { throw .malformed(.chunkSize) }
            let (shifted, overflow) = remaining.multipliedReportingOverflow(by: 16)
            if overflow { throw RequestRefusal(.bodyTooLarge) }
            remaining = shifted + Int(value)
            if remaining > limits.bodyBytesMax - count { throw RequestRefusal(.bodyTooLarge) }
            state = .size
        } else if state == .size, byte == ASCII.carriageReturn {
            state = .sizeLineFeed
        } else if state == .size, byte == ASCII.semicolon {
            extensionBytes = 1
            state = .extensionName
        } else {
            throw .malformed(.chunkSize)
        }
    }

    /// Parses `*( ";" token [ "=" ( token / quoted-string ) ] )`, without the bad whitespace of RFC 9112, 7.1.1.
    private mutating func takeExtension(_ byte: UInt8, _ limits: borrowing HTTPLimits) throws(RequestRefusal) {
        extensionBytes += 1
        if extensionBytes > limits.chunkExtensionBytesMax { throw RequestRefusal(.chunkExtensionTooLong) }
        switch (state, byte) {
        case (.extensionQuoted, ASCII.quote): state = .extensionEnd
        case (.extensionQuoted, ASCII.backslash): state = .extensionEscape
        case (.extensionQuoted, _) where ASCII.isText(byte): break
        case (.extensionEscape, _) where ASCII.isText(byte): state = .extensionQuoted
        case (.extensionQuoted, _), (.extensionEscape, _): throw .malformed(.chunkExtension)
        case (.extensionName, _) where ASCII.isToken(byte): state = .extensionNameRest
        case (.extensionValue, ASCII.quote): state = .extensionQuoted
        case (.extensionValue, _) where ASCII.isToken(byte): state = .extensionToken
        case (.extensionName, _), (.extensionValue, _): throw .malformed(.chunkExtension)
        case (.extensionNameRest, _) where ASCII.isToken(byte): break
        case (.extensionNameRest, ASCII.equals): state = .extensionValue
        case (.extensionToken, _) where ASCII.isToken(byte): break
        case (_, ASCII.semicolon): state = .extensionName
        case (_, ASCII.carriageReturn): state = .sizeLineFeed
        default: throw .malformed(.chunkExtension)
        }
    }

    /// Checks trailers as it checks fields, and discards them.
    private mutating func takeTrailer(_ byte: UInt8, _ limits: borrowing HTTPLimits) throws(RequestRefusal) {
        trailerBytes += 1
        if trailerBytes > limits.headBytesMax { throw RequestRefusal(.fieldsTooLong) }
        switch (state, byte) {
        case (.lastLineFeed, ASCII.lineFeed): state = .done
        case (.trailerLineFeed, ASCII.lineFeed): state = .trailerStart
        case (.trailerStart, ASCII.carriageReturn): state = .lastLineFeed
        case (.trailerStart, _) where ASCII.isToken(byte):
            trailerCount += 1
            if trailerCount > limits.headFieldsMax { throw RequestRefusal(.tooManyFields) }
            state = .trailerName
        case (.trailerName, ASCII.colon): state = .trailerValue
        case (.trailerName, _) where ASCII.isToken(byte): break
        case (.trailerValue, ASCII.carriageReturn): state = .trailerLineFeed
        case (.trailerValue, _) where ASCII.isText(byte): break
        default: throw .malformed(.trailer)
        }
    }
}

enum ChunkDecoderState {
    case sizeStart, size, sizeLineFeed
    case extensionName, extensionNameRest, extensionValue, extensionToken, extensionQuoted, extensionEscape
    case extensionEnd
    case data, dataEnd, dataLineFeed
    case trailerStart, trailerName, trailerValue, trailerLineFeed, lastLineFeed
    case done
}
