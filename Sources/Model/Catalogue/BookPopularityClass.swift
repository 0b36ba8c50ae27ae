/// The order of magnitude of a book's number of readers, for rankings. Readings are private, so fewer than four readers
/// count as none.
public enum BookPopularityClass {
    /// The class of 512 readers and more.
    public static let max: Int64 = 8

    /// Returns the minimum number of readers of a class: 4 for class 1, then twice as many each. Class 0 says nothing
    /// about the number.
    public static func readersMin(_ readerClass: Int64) -> Int64 { 2 << readerClass }
}
