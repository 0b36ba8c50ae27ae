// The standard library composes, but offers that only to Foundation, which this program does not link.
@_spi(_Unicode) import Swift

/// The composition of letters and marks into one scalar, where Unicode has one (UAX 15).
package enum UnicodeComposition {
    /// Returns the text in NFC, as most keyboards type it.
    package static func canonical(_ text: String) -> String {
        var composed = String.UnicodeScalarView()
        for scalar in text._nfc { composed.append(scalar) }
        return String(composed)
    }

    /// Returns the text in NFKC: the same bytes for all texts that Unicode calls compatible.
    package static func compatible(_ text: String) -> String {
        var decomposed = String.UnicodeScalarView()
        decomposed.append(contentsOf: UnicodeDecomposition.scalars(of: text))
        return canonical(String(decomposed))
    }
}
