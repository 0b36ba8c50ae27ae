import Testing

@testable import API

@Suite("The text of a token")
struct TokenTextTests {
    private func text(_ given: String) -> TokenBuffer? { TokenBuffer(Array(given.utf8).span.bytes) }

    @Test("Digests are equal only if all bytes are, wherever they differ, and if their lengths are")
    func differences() {
        for length in [0, 1, 8, 51, 63, 64] {
            let given = String(repeating: "a", count: length)
            #expect(text(given) == text(given) && text(given)?.hashValue == text(given)?.hashValue)
            for index in 0..<length {
                var other = Array(given.utf8)
                other[index] ^= 1
                #expect(text(given) != TokenBuffer(other.span.bytes))
            }
            #expect(text(given) != text(given + "\0") || length == 64)
        }
    }

    @Test("A token longer than the server's own is unknown without a cache entry")
    func length() {
        #expect(text(String(repeating: "a", count: 64)) != nil && text(String(repeating: "a", count: 65)) == nil)
    }
}
