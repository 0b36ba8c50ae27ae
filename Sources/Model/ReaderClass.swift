/// How many readers have a book, as far as rankings know it. Readings are private: fewer than four readers count as none, and
/// more by their order of magnitude only.
public enum ReaderClass {
    /// That of 512 readers and more.
    public static let max: Int64 = 8

    /// How many readers a class begins with: 4 for the first one, and twice as many for each that follows. Of class 0 nothing is
    /// known.
    public static func readersMin(_ readerClass: Int64) -> Int64 { 2 << readerClass }
}
