import Bytes

/// The reading of escapes.
extension Span<UInt8> {
    /// Returns the UTF-16 unit of the `\uXXXX` at an index, or `nil` if there is none.
    func hexUnit(at index: Int) -> UInt16? {
        guard index + 6 <= count, self[index] == UInt8(ascii: "\\"), self[index + 1] == UInt8(ascii: "u") else {
            return nil
        }
        var unit: UInt16 = 0
        for digit in index + 2..<index + 6 {
            guard let value = self[digit].hexValue else { return nil }
            unit = unit << 4 | UInt16(value)
        }
        return unit
    }
}
