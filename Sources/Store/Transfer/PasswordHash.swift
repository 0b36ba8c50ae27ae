import Bytes
import Model

/// Hashes of passwords in records.
enum PasswordHash {
    /// Returns whether `PasswordHasher` can have made a hash, with at most so much memory. With other costs a guess could take
    /// hours, or all memory.
    static func isValid(_ text: String, mebibytesMax: Int) -> Bool {
        let costs = ["j75", "j85"] + "789ABCDEF".map { "j\($0)T" }
        let settings = costs.indices.filter { 1 << $0 <= mebibytesMax }.map { costs[$0] }
        let parts = text.utf8.split(separator: UInt8(ascii: "$"), omittingEmptySubsequences: false)
        guard parts.count == 5, parts[0].isEmpty, parts[1].elementsEqual("y".utf8),
            settings.contains(where: { parts[2].elementsEqual($0.utf8) }), (1...86).contains(parts[3].count),
            parts[4].count == 43
        else { return false }
        return parts[3...].joined().allSatisfy { $0.isLetter || $0.isDigit || "./".utf8.contains($0) }
    }
}

extension Digest {
    /// The digest that 64 hexadecimal digits say.
    init?(hexadecimal text: String) {
        let digits = text.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        guard digits.count == 64, text.utf8.count == 64 else { return nil }
        let words = stride(from: 0, to: 64, by: 8).map { start in
            digits[start..<start + 8].reduce(UInt32(0)) { $0 << 4 | UInt32($1) }
        }
        self.init(words: SIMD8(words))
    }
}
