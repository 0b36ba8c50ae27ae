/// Operations on eight bytes of text at once, which find the first byte that is not plain text in a string.
enum EightByteWord {
    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highBits: UInt64 = 0x8080_8080_8080_8080

    /// Marks, by its high bit, the first byte that is a quotation mark, a backslash or a control character, if any.
    ///
    /// Marks after the first may be wrong, because a subtraction borrows from the byte after a marked one.
    @inline(__always)
    static func escapes(in word: UInt64) -> UInt64 {
        let control = word &- ones &* 0x20
        let quote = (word ^ ones &* 0x22) &- ones
        let backslash = (word ^ ones &* 0x5C) &- ones
        return (control | quote | backslash) & ~word & highBits
    }

    /// Returns the index, 0…7, of the first marked byte; one must be marked.
    @inline(__always)
    static func firstMarked(_ marks: UInt64) -> Int { marks.trailingZeroBitCount >> 3 }
}
