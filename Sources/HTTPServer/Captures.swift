/// Where the captured segments of a path are: offsets in the path, no copies.
package struct Captures: Sendable {
    /// Captures in one pattern.
    package static var countMax: Int { 4 }

    /// How many there are.
    package internal(set) var count = 0
    private var starts = SIMD4<Int32>()
    private var ends = SIMD4<Int32>()

    /// None.
    init() {}

    mutating func append(_ start: Int, _ end: Int) {
        starts[count] = Int32(truncatingIfNeeded: start)
        ends[count] = Int32(truncatingIfNeeded: end)
        count += 1
    }

    /// Where the capture is in the path.
    package func range(_ index: Int) -> Range<Int> {
        precondition(index >= 0 && index < count)
        return Int(starts[index])..<Int(ends[index])
    }

    /// The bytes of a capture, still percent-encoded. `path` is the one that was looked up.
    @_lifetime(copy path)
    package func bytes(_ index: Int, in path: RawSpan) -> RawSpan {
        path.extracting(range(index))
    }

    /// The text of a capture, percent-decoded; nil when it is malformed or not UTF-8.
    package func text(_ index: Int, in path: RawSpan) -> String? {
        PercentCoding.decode(bytes(index, in: path), plusIsSpace: false)
    }
}
