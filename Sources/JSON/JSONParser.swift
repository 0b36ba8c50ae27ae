/// A parser that reads a text once, from its first byte to its last, and writes the document's structure, the tape.
///
/// It does not recurse: the open containers form a chain through their tape entries, so depth costs no stack. Strings
/// are in `JSONParser+String.swift`, numbers in `JSONParser+Number.swift`.
struct JSONParser: ~Copyable, ~Escapable {
    let bytes: Span<UInt8>
    let limits: JSONLimits
    var position = 0
    var tape: JSONStructure

    private var container = JSONStructure.none
    private var depth = 0

    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>, limits: JSONLimits) {
        self.bytes = bytes
        self.limits = limits
        self.tape = JSONStructure(textBytes: min(bytes.count, limits.bytesMax))
    }

    @_lifetime(self: copy self)
    mutating func parse() throws(JSONError) {
        guard bytes.count <= limits.bytesMax else {
            throw JSONError(offset: limits.bytesMax, reason: "a text of more than \(limits.bytesMax) bytes")
        }
        if bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF { throw error("a byte order mark") }
        do throws(UTF8.ValidationError) {
            _ = try UTF8Span(validating: bytes)
        } catch {
            throw JSONError(offset: error.byteOffsets.lowerBound, reason: "a byte that is not UTF-8")
        }
        repeat {
            skipWhiteSpace()
            while try !value() { skipWhiteSpace() }
        } while try another()
    }

    // MARK: - Values

    /// Parses the value at the position. Returns `false` for a container that is not empty, with the position at its
    /// first value.
    @_lifetime(self: copy self)
    private mutating func value() throws(JSONError) -> Bool {
        guard tape.count < limits.valuesMax else { throw error("more than \(limits.valuesMax) values") }
        switch peek() {
        case UInt8(ascii: "\""): try string()
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try number()
        case UInt8(ascii: "{"):
            try open(.object)
            guard peek() == UInt8(ascii: "}") else {
                try name()
                return false
            }
            close()
        case UInt8(ascii: "["):
            try open(.array)
            guard peek() == UInt8(ascii: "]") else { return false }
            close()
        case UInt8(ascii: "t"): try literal("true", .bool, flag: true)
        case UInt8(ascii: "f"): try literal("false", .bool)
        case UInt8(ascii: "n"): try literal("null", .null)
        default: throw notAValue()
        }
        return true
    }

    @_lifetime(self: copy self)
    private mutating func literal(
        _ word: StaticString, _ kind: JSONValue.Kind, flag: Bool = false
    ) throws(JSONError) {
        let start = position
        for index in 0..<word.utf8CodeUnitCount {
            // SAFETY: `index` is below the length of the literal, which has a pointer because it is longer than one
            // character.
            guard peek() == word.utf8Start[index] else { throw JSONError(offset: start, reason: "an unknown word") }
            position += 1
        }
        tape.append(kind, from: start, to: position, flag: flag)
    }

    // MARK: - Containers

    @_lifetime(self: copy self)
    private mutating func open(_ kind: JSONValue.Kind) throws(JSONError) {
        guard depth < limits.depthMax else {
            throw error("more than \(limits.depthMax) arrays and objects in each other")
        }
        depth += 1
        container = tape.open(kind, at: position, in: container)
        position += 1
        skipWhiteSpace()
    }

    @_lifetime(self: copy self)
    private mutating func close() {
        position += 1
        depth -= 1
        container = tape.close(container, at: position)
    }

    /// Parses a member's name and the colon after it.
    @_lifetime(self: copy self)
    private mutating func name() throws(JSONError) {
        guard peek() == UInt8(ascii: "\"") else {
            if position == bytes.count { throw unfinished() }
            throw error("a member name that is not a string")
        }
        guard tape.count < limits.valuesMax else { throw error("more than \(limits.valuesMax) values") }
        try string()
        skipWhiteSpace()
        guard peek() == UInt8(ascii: ":") else {
            if position == bytes.count { throw unfinished() }
            throw error("a member name without a colon after it")
        }
        position += 1
    }

    /// Closes the containers that end after a value. Returns `true` if another value follows, `false` at the end of the
    /// text.
    @_lifetime(self: copy self)
    private mutating func another() throws(JSONError) -> Bool {
        while true {
            skipWhiteSpace()
            guard container != JSONStructure.none else {
                guard position == bytes.count else { throw error("something after the value") }
                return false
            }
            let isObject = tape[container].kind == .object
            switch peek() {
            case UInt8(ascii: ","):
                try separator(inObject: isObject)
                return true
            case UInt8(ascii: "}") where isObject, UInt8(ascii: "]") where !isObject: close()
            default: throw notASeparator(inObject: isObject)
            }
        }
    }

    /// Parses a comma, and in an object the name after it.
    @_lifetime(self: copy self)
    private mutating func separator(inObject: Bool) throws(JSONError) {
        let comma = position
        position += 1
        skipWhiteSpace()
        if peek() == UInt8(ascii: "}") || peek() == UInt8(ascii: "]") {
            throw JSONError(offset: comma, reason: "a trailing comma")
        }
        if inObject { try name() }
    }

    // MARK: - Bytes

    /// Returns the byte at the position, or 0 at the end. NUL is valid nowhere, so the end cannot be confused with a
    /// character.
    @inline(__always)
    func peek() -> UInt8 { position < bytes.count ? bytes[position] : 0 }

    @inline(__always)
    @_lifetime(self: copy self)
    private mutating func skipWhiteSpace() {
        var index = position
        skip: while index < bytes.count {
            switch bytes[index] {
            case 0x20, 0x09, 0x0A, 0x0D: index += 1
            default: break skip
            }
        }
        position = index
    }

    // MARK: - Errors

    func error(_ reason: String) -> JSONError { JSONError(offset: position, reason: reason) }

    private func unfinished() -> JSONError {
        guard container != JSONStructure.none else { return JSONError(offset: bytes.count, reason: "no value") }
        let entry = tape[container]
        return unfinished(entry.kind == .object ? "object" : "array", from: Int(entry.start))
    }

    /// Returns the error for a text that ends within a value.
    func unfinished(_ what: String, from start: Int) -> JSONError {
        JSONError(offset: bytes.count, reason: "the end of the text, within the \(what) that begins at byte \(start)")
    }

    private func notAValue() -> JSONError {
        guard position < bytes.count else { return unfinished() }
        switch bytes[position] {
        case UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: ":"): return error("a missing value")
        case UInt8(ascii: "'"): return error("a string in single quotation marks")
        case UInt8(ascii: "/"): return error("a comment")
        case UInt8(ascii: "+"): return error("a number with a plus sign")
        case UInt8(ascii: "."): return error("a number without a digit before its point")
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"):
            return error("an unknown word")
        default: return error("a character that cannot begin a value")
        }
    }

    private func notASeparator(inObject: Bool) -> JSONError {
        guard position < bytes.count else { return unfinished() }
        switch bytes[position] {
        case UInt8(ascii: "]"), UInt8(ascii: "}"): return error("a closing bracket without its opening one")
        case UInt8(ascii: "/"): return error("a comment")
        default:
            return error(inObject ? "a member without a comma after it" : "an element without a comma after it")
        }
    }
}
