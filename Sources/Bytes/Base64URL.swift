/// Base64 with the URL-safe alphabet, without padding (RFC 4648, 5 and 3.2).
package enum Base64URL {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    package static func text(of bytes: [UInt8]) -> String {
        let alphabet = alphabet
        return String(unsafeUninitializedCapacity: (bytes.count * 4 + 2) / 3) { text in
            var (bits, count, length) = (UInt32(0), UInt32(0), 0)
            for byte in bytes {
                bits = bits << 8 | UInt32(byte)
                count += 8
                while count >= 6 {
                    count -= 6
                    text[length] = alphabet[Int(bits >> count & 63)]
                    length += 1
                }
            }
            guard count > 0 else { return length }
            text[length] = alphabet[Int(bits << (6 - count) & 63)]
            return length + 1
        }
    }

    /// Encodes bytes in the standard alphabet with padding (RFC 4648, 4), as HTTP fields use it.
    package static func padded(_ bytes: [UInt8]) -> String {
        let text = text(of: bytes).replacing("-", with: "+").replacing("_", with: "/")
        return text + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
    }

    /// Decodes a text. Returns `nil` if `text(of:)` cannot have produced it, for example because of padding or surplus
    /// bits.
    package static func bytes(of text: String) -> [UInt8]? {
        guard text.utf8.count % 4 != 1 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count * 3 / 4)
        var bits: UInt32 = 0
        var count: UInt32 = 0
        for character in text.utf8 {
            guard let value = values[Int(character)] else { return nil }
            bits = bits << 6 | value
            count += 6
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> count))
            }
        }
        guard bits & (1 << count - 1) == 0 else { return nil }
        return bytes
    }

    /// The value of each byte as a character, or `nil` for other characters.
    private static let values = (UInt8.min...UInt8.max).map { byte in alphabet.firstIndex(of: byte).map { UInt32($0) } }
}
