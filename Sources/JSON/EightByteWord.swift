/// Operations on eight bytes of text at once, which find the first byte that is not plain text in a string.
package enum EightByteWord {
    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highBits: UInt64 = 0x8080_8080_8080_8080

    /// Marks, by its high bit, the first byte that is a quotation mark, a backslash or a control character, if any.
    ///
    /// Marks after the first may be wrong, because a subtraction borrows from the byte after a marked one.
    @inline(__always)
    private static func escapes(in word: UInt64) -> UInt64 {
        let control = word &- ones &* 0x20
        let quote = (word ^ ones &* 0x22) &- ones
        let backslash = (word ^ ones &* 0x5C) &- ones
        return (control | quote | backslash) & ~word & highBits
    }

    /// Returns the index of the first byte at or after `start` that needs an escape, or the count if there is none.
    package static func plainEnd(of text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        guard text.count - start >= 8 else { return plainEndBytewise(of: text, from: start) }
        let last = text.count - 8
        var index = start
        while index < last {
            let marks = marks(in: text, at: index)
            if marks != 0 { return index + firstMarked(marks) }
            index += 8
        }
        // The last word overlaps the one before, in which no byte was marked.
        let marks = marks(in: text, at: last)
        return marks == 0 ? text.count : last + firstMarked(marks)
    }

    private static func plainEndBytewise(of text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        for index in start..<text.count {
            switch text[index] {
            case 0x00..<0x20, UInt8(ascii: "\""), UInt8(ascii: "\\"): return index
            default: continue
            }
        }
        return text.count
    }

    /// Returns whether a text has a control character.
    package static func hasControlCharacter(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        var index = 0
        while index + 8 <= text.count {
            let word = word(of: text, at: index)
            if (word &- ones &* 0x20) & ~word & highBits != 0 { return true }
            index += 8
        }
        while index < text.count {
            if text[index] < 0x20 { return true }
            index += 1
        }
        return false
    }

    @inline(__always)
    private static func marks(in text: UnsafeBufferPointer<UInt8>, at index: Int) -> UInt64 {
        escapes(in: word(of: text, at: index))
    }

    @inline(__always)
    private static func word(of text: UnsafeBufferPointer<UInt8>, at index: Int) -> UInt64 {
        // SAFETY: any eight bytes are a UInt64, and the caller stays eight bytes from the end.
        UInt64(littleEndian: UnsafeRawBufferPointer(text).loadUnaligned(fromByteOffset: index, as: UInt64.self))
    }

    /// Returns the index, 0…7, of the first marked byte; one must be marked.
    @inline(__always)
    private static func firstMarked(_ marks: UInt64) -> Int { marks.trailingZeroBitCount >> 3 }
}
