/// Books whose titles, authors and years are in no order. The same number yields the same book.
enum GeneratedBenchBooks {
    private static let words = ["river", "winter", "garden", "letters", "silent", "golden", "harbour", "stranger"]

    /// Returns words of a text, separated by spaces.
    static func text(_ number: Int) -> String {
        (0..<8).map { place in words[mixed(number &+ place) % words.count] }.joined(separator: " ") + " \(number)"
    }

    /// Returns the body of a book.
    static func body(_ number: Int) -> String {
        let author = text(mixed(number) % 1000)
        return #"{"title":"\#(text(number))","authors":["\#(author)"],"publishedYear":\#(1500 + mixed(number) % 526)}"#
    }

    /// Returns a number of 31 bits that seems random (Knuth's multiplicative hashing).
    private static func mixed(_ number: Int) -> Int { (number &* 2_654_435_761) >> 7 & 0x7FFF_FFFF }
}
