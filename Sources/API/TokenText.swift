/// A token as a request says it, in a room of fixed size: what an event loop finds the tokens that it remembers by, without the time that
/// a digest takes. It is compared whole, however early it differs: how long that takes tells nothing of what is remembered.
struct TokenText: Hashable {
    static let bytesMax = 64

    private let words: SIMD8<UInt64>
    private let count: Int

    /// Nil for what is longer than the tokens that Lectern makes.
    init?(_ said: RawSpan) {
        count = said.byteCount
        guard count <= Self.bytesMax else { return nil }
        var words = SIMD8<UInt64>()
        withUnsafeMutableBytes(of: &words) { room in
            said.withUnsafeBytes { room.copyMemory(from: $0) }
        }
        self.words = words
    }

    static func == (left: TokenText, right: TokenText) -> Bool {
        let differing = left.words ^ right.words
        let halves = differing.lowHalf | differing.highHalf
        let quarters = halves.lowHalf | halves.highHalf
        return quarters[0] | quarters[1] | UInt64(truncatingIfNeeded: left.count ^ right.count) == 0
    }
}
