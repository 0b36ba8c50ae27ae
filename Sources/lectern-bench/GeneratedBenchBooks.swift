/// Books whose words have frequencies as in a language (Zipf): word number n has a share of 1/n. The same number yields
/// the same book.
enum GeneratedBenchBooks {
    /// The number of different words.
    private static let wordCount = 200_000
    private static let languages = ["en", "en", "en", "en", "en", "de", "fr", "es", "ja", "da"]

    /// Returns a word by its rank in frequency, from 0: commoner words have fewer syllables, as in languages.
    private static func word(_ rank: Int) -> String {
        let (consonants, vowels) = (Array("tnsrhldcmfpgbvkwyzqxj"), Array("eaoiu"))
        var (rest, text) = (rank, "")
        repeat {
            let syllable = rest % 105
            text += String(consonants[syllable % 21]) + String(vowels[syllable / 21])
            rest = rest / 105 - 1
        } while rest >= 0
        return text
    }

    /// Returns a rank, distributed by Zipf's law.
    private static func rank(_ random: inout Generator) -> Int {
        // The harmonic numbers grow like the logarithm.
        var rank = 1.0
        for _ in 0..<Int.random(in: 0..<18, using: &random) { rank *= 2 }
        return min(wordCount, Int(rank * Double.random(in: 1..<2, using: &random))) - 1
    }

    /// Returns words of a text, separated by spaces.
    static func text(_ number: Int) -> String {
        var random = Generator(state: UInt64(number))
        return (0..<12).map { _ in word(rank(&random)) }.joined(separator: " ")
    }

    /// Returns the body of a book.
    static func body(_ number: Int) -> String {
        var random = Generator(state: UInt64(number) &+ 1)
        let language = languages[Int.random(in: 0..<languages.count, using: &random)]
        let words = (0..<Int.random(in: 1...8, using: &random)).map { _ in word(rank(&random)) }
        let names = (0..<2).map { _ in word(Int.random(in: 200..<20_000, using: &random)) }
        let year = Int.random(in: 1500...2025, using: &random)
        return
            "{\"title\":\"\(words.joined(separator: " "))\",\"authors\":[\"\(names.joined(separator: " "))\"],\"language\":\"\(language)\",\"publishedYear\":\(year)}"
    }

    /// SplitMix64 (Steele, Lea and Flood, 2014).
    private struct Generator: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
    }
}
