/// A token in a request, in a fixed-size buffer. It is the key of an event loop's token cache, which saves the time of
/// a digest. Comparison always covers the whole text, so its duration reveals nothing about cached tokens.
struct TokenBuffer: Hashable {
    static let bytesMax = 64

    private let words: SIMD8<UInt64>
    private let count: Int

    /// Creates a buffer with a token, or returns `nil` if the token is longer than Lectern's own tokens.
    init?(_ given: RawSpan) {
        count = given.byteCount
        guard count <= Self.bytesMax else { return nil }
        var words = SIMD8<UInt64>()
        withUnsafeMutableBytes(of: &words) { room in
            given.withUnsafeBytes { room.copyMemory(from: $0) }
        }
        self.words = words
    }

    static func == (left: TokenBuffer, right: TokenBuffer) -> Bool {
        let differing = left.words ^ right.words
        let halves = differing.lowHalf | differing.highHalf
        let quarters = halves.lowHalf | halves.highHalf
        return quarters[0] | quarters[1] | UInt64(truncatingIfNeeded: left.count ^ right.count) == 0
    }
}
