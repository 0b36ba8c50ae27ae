import Foundation
import SharedByTests
import Testing

@testable import Model

/// Comparisons with Foundation, which the program does not use.
@Suite("Decomposition")
struct DecompositionTests {
    private func foundations(_ text: String) -> [Unicode.Scalar] {
        // Foundation's compatibility decomposition is not in canonical order until it is decomposed again.
        Array(text.decomposedStringWithCompatibilityMapping.decomposedStringWithCanonicalMapping.unicodeScalars)
    }

    @Test("Every scalar is decomposed as Foundation does")
    func scalars() {
        // Higher planes contain only private use and tag characters.
        let all =
            Array(UInt32(0)..<0x40000) + Array(0xE0000..<0xE1000) + Array(stride(from: 0x40000, to: 0x110000, by: 251))
        for value in TestBudget.isLong ? Array(0...0x10FFFF) : all {
            // Foundation does not know the characters of Unicode 16.
            guard let scalar = Unicode.Scalar(value), scalar.properties.age ?? (0, 0) < (16, 0) else { continue }
            let text = String(scalar)
            let taken = UnicodeDecomposition.scalars(of: text)
            #expect(taken == foundations(text), "\(String(value, radix: 16))")
            let composed = Array(text.precomposedStringWithCanonicalMapping.utf8)
            #expect(Array(UnicodeComposition.canonical(text).utf8) == composed, "\(String(value, radix: 16))")
        }
    }

    @Test("Combining marks are decomposed in Unicode's order")
    func marks() {
        // Foundation does not know newer characters.
        let known = (UInt32(0xA0)...0x1E94A).compactMap(Unicode.Scalar.init)
            .filter { $0.properties.age ?? (99, 0) < (15, 0) }
        let marks = known.filter { $0.properties.canonicalCombiningClass.rawValue != 0 }
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<TestBudget.of(5000, long: 20_000) {
            var text = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                text.append(known.randomElement(using: &generator) ?? "a")
                for _ in 0..<Int.random(in: 0...3, using: &generator) {
                    text.append(marks.randomElement(using: &generator) ?? "a")
                }
            }
            let given = String(text)
            #expect(UnicodeDecomposition.scalars(of: given) == foundations(given), "\(Array(text))")
        }
    }

    @Test("A time zone has one of the system's names, present or former")
    func zones() {
        for name in TimeZone.knownTimeZoneIdentifiers where name.contains("/") {
            #expect(TimeZoneDays.exist(for: name), "\(name)")
        }
        for name in ["UTC", "Europe/Kyiv", "America/Ciudad_Juarez", "Etc/GMT+5", "US/Pacific"] {
            #expect(TimeZoneDays.exist(for: name) && TimeZone(identifier: name) != nil, "\(name)")
        }
        for name in ["", "/", "Europe/lisbon", "Europe", "EST", "GMT", "Etc/Unknown", "Foo/Bar", "posix/Europe/Lisbon"]
        {
            #expect(!TimeZoneDays.exist(for: name), "\(name)")
        }
    }
}
