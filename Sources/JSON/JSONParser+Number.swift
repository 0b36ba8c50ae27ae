import Bytes

extension JSONParser {
    /// Parses the number at the position (RFC 8259 section 6). Its value is computed only when it is read.
    @_lifetime(self: copy self)
    mutating func number() throws(JSONError) {
        let start = position
        if peek() == UInt8(ascii: "-") { position += 1 }
        if peek() == UInt8(ascii: "0") {
            position += 1
            if peek().isDigit { throw JSONError(offset: position - 1, reason: "a number with a leading zero") }
        } else if !skipDigits() {
            throw JSONError(offset: start, reason: "a minus sign without a number")
        }
        if peek() == UInt8(ascii: ".") {
            position += 1
            guard skipDigits() else { throw error("a number without a digit after its point") }
        }
        if peek() | 0x20 == UInt8(ascii: "e") {
            position += 1
            if peek() == UInt8(ascii: "+") || peek() == UInt8(ascii: "-") { position += 1 }
            guard skipDigits() else { throw error("a number without a digit in its exponent") }
        }
        guard position - start <= limits.numberBytesMax else {
            throw JSONError(offset: start, reason: "a number of more than \(limits.numberBytesMax) bytes")
        }
        tape.append(.number, from: start, to: position)
    }

    /// Skips digits. Returns `false` if there are none.
    @_lifetime(self: copy self)
    private mutating func skipDigits() -> Bool {
        let first = position
        while peek().isDigit { position += 1 }
        return position > first
    }
}
