/// The bounds of a document. A document beyond one is refused with an error that names it.
public struct JSONLimits: Sendable, Equatable {
    /// Arrays and objects that may be open at once, 1…512.
    ///
    /// Parsing needs no stack; the upper bound keeps whatever walks a document afterwards safe.
    public let depthMax: Int

    /// The length of the text in bytes, at most 2³¹ − 1.
    public let bytesMax: Int

    /// The length of one number in bytes, sign and exponent included.
    public let numberBytesMax: Int

    /// Values in the document, each name of a member counted as one. A value costs 16 bytes beside its text.
    public let valuesMax: Int

    /// Limits; those outside their own range are moved to its nearest end.
    public init(
        depthMax: Int = 64, bytesMax: Int = 1_048_576, numberBytesMax: Int = 256, valuesMax: Int = 100_000
    ) {
        self.depthMax = min(max(depthMax, 1), 512)
        self.bytesMax = min(max(bytesMax, 1), Int(Int32.max))
        self.numberBytesMax = max(numberBytesMax, 1)
        self.valuesMax = min(max(valuesMax, 1), Int(Int32.max))
    }
}
