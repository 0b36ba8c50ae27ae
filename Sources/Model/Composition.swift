// The standard library composes, but says so to Foundation only, which is no part of the program.
@_spi(_Unicode) import Swift

/// Texts whose letters and marks are put together where Unicode has one scalar for both (UAX 15).
package enum Composition {
    /// NFC: the text as most keyboards type it.
    package static func canonical(_ text: String) -> String {
        var composed = String.UnicodeScalarView()
        for scalar in text._nfc { composed.append(scalar) }
        return String(composed)
    }

    /// NFKC: the same bytes for all that Unicode calls compatible.
    package static func compatible(_ text: String) -> String {
        var decomposed = String.UnicodeScalarView()
        decomposed.append(contentsOf: Decomposition.scalars(of: text))
        return canonical(String(decomposed))
    }
}
