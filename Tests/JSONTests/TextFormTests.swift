import Testing

@testable import JSON

@Suite("The form of texts")
struct TextFormTests {
    private static let pieces: [Character] = [
        "a", " ", "~", "\u{0}", "\t", "\n", "\r", "\u{1F}", "\u{7F}", "\u{80}", "\u{9F}", "\u{A0}", "\u{BF}", "\u{C0}",
        "\u{2027}", "\u{2028}", "\u{2029}", "\u{202A}", "\u{2128}", "\u{3042}", "\u{FFFF}", "\u{1F4D6}", "e\u{301}",
    ]

    /// Compares the form with one that is computed by decoding each scalar.
    private func expect(_ text: String) {
        let form = TextLengthScan(text)
        let values = text.unicodeScalars.map(\.value)
        let line: Set<UInt32> = [0x09, 0x0A, 0x2028, 0x2029]
        let hasOther = values.contains { !line.contains($0) && ($0 < 0x20 || (0x7F...0x9F).contains($0)) }
        #expect(form.length == values.count, "\(values)")
        #expect(form.hasLineControls == values.contains(where: line.contains), "\(values)")
        #expect(form.hasOtherControls == hasOther, "\(values)")
    }

    @Test("Each character is counted wherever it is in a text")
    func places() {
        for piece in Self.pieces {
            for before in 0..<17 {
                for after in [0, 1, 7, 8] {
                    expect(String(repeating: "a", count: before) + [piece] + String(repeating: "b", count: after))
                }
            }
        }
    }

    @Test("Random texts are measured as their decoded form")
    func random() {
        for _ in 0..<2000 {
            expect(String((0..<Int.random(in: 0..<40)).map { _ in Self.pieces[Int.random(in: 0..<Self.pieces.count)] }))
        }
    }
}
