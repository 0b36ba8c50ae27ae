/// Eight bytes of text looked at together: finds the first byte that cannot be taken as it stands in a string.
enum Word {
    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highBits: UInt64 = 0x8080_8080_8080_8080

    /// Marks (by its high bit) the first byte that is a quotation mark, a backslash or a control character, if any.
    ///
    /// Marks after the first may be wrong: a subtraction borrows from the byte after the one it hit.
    @inline(__always)
    static func escapes(in word: UInt64) -> UInt64 {
        let control = word &- ones &* 0x20
        let quote = (word ^ ones &* 0x22) &- ones
        let backslash = (word ^ ones &* 0x5C) &- ones
        return (control | quote | backslash) & ~word & highBits
    }

    /// As `escapes`, and marks bytes outside ASCII too.
    @inline(__always)
    static func escapesOrNonASCII(in word: UInt64) -> UInt64 { escapes(in: word) | word & highBits }

    /// Whether all eight bytes are ASCII and no control characters.
    @inline(__always)
    static func isPrintableASCII(_ word: UInt64) -> Bool {
        // 0x7F is the only byte of ASCII that one more takes out of it. Only marked bytes borrow or carry.
        ((word &- ones &* 0x20) | (word &+ ones) | word) & highBits == 0
    }

    /// The index, 0…7, of the first marked byte; one must be marked.
    @inline(__always)
    static func firstMarked(_ marks: UInt64) -> Int { marks.trailingZeroBitCount >> 3 }
}
