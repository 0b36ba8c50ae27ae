import CSQLite
import Model
import SharedByTests
import Testing

@testable import Store

/// Tests of the index's words, and of similar words.
@Suite("Words")
struct WordTests {
    private func table(_ texts: [String] = []) throws -> SQLiteConnection {
        let connection = try SQLiteConnection(path: ":memory:", flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
        try DatabaseSchema.migrate(connection, from: 0)
        for text in texts { try WordTable.add(FoldedSearchText(text).bytes, in: connection) }
        return connection
    }

    private func near(_ word: String, in connection: SQLiteConnection) throws -> [String] {
        try SimilarWord.all(of: FoldedSearchText(word).bytes[...], in: connection).map {
            "\(String(decoding: $0.text, as: UTF8.self)) \($0.distance)"
        }
    }

    private func words(in connection: SQLiteConnection) throws -> Set<String> {
        Set(try connection.statement(once: "SELECT word FROM words").all { $0.text(0) })
    }

    private static let distances: [(String, String, Int?)] = [
        ("harry", "harry", 0), ("harry", "hary", 1), ("hary", "harry", 1), ("harry", "hrary", 1), ("harry", "hurry", 1),
        ("harry", "hayrr", 2), ("ca", "abc", nil), ("abcd", "badc", 2), ("tolkien", "tolkein", 1), ("a", "", 1),
        ("", "", 0),
        ("philosophers", "philosofers", 2), ("kitten", "sitting", nil), ("война", "вайна", 1), ("ab", "ba", 1),
        ("abcdef", "abcdefghi", nil), ("αβγδ", "αγβδ", 1),
    ]

    @Test("Differences are counted as typing errors", arguments: distances)
    func distance(_ left: String, _ right: String, _ distance: Int?) {
        let first = FoldedWordLetters(scalars: left.unicodeScalars.map(\.value))
        let second = FoldedWordLetters(scalars: right.unicodeScalars.map(\.value))
        #expect(first.distance(to: second, max: 2) == distance)
        #expect(second.distance(to: first, max: 2) == distance)
        if let distance, distance > 0 { #expect(first.distance(to: second, max: distance - 1) == nil) }
    }

    @Test("A comparison that ends early finds the same distances", arguments: 1...3 as ClosedRange<UInt64>)
    func early(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        func word() -> FoldedWordLetters {
            FoldedWordLetters(
                scalars: (0..<Int.random(in: 1...7, using: &random)).map { _ in .random(in: 0...3, using: &random) })
        }
        for _ in 0..<500 {
            let (left, right) = (word(), word())
            let whole = left.distance(to: right, max: 7)
            for max in 0...3 {
                #expect(left.distance(to: right, max: max) == whole.flatMap { $0 <= max ? $0 : nil })
            }
        }
    }

    private static let lookups: [(asked: String, near: [String])] = [
        ("hary", ["harry 1", "hairy 1", "mary 1"]), ("tolkein", ["tolkien 1"]), ("harrypotter", ["harry potter 1"]),
        ("poter", ["potter 1"]), ("philosofers", ["philosophers 2"]), ("brothersk", ["brothers 1"]),
        ("harry", ["hairy 1"]),
        ("ofmice", ["of mice 1"]), ("оиве", []), ("вайна", ["воина 1"]), ("it", []), ("teh", ["the 1"]), ("zzzz", []),
        ("", []),
        ("1984", []), ("dostoyevski", ["dostoevsky 2"]),
    ]

    @Test("Similar words are found, the likeliest first", arguments: lookups)
    func near(_ asked: String, _ near: [String]) throws {
        let connection = try table([
            "Harry Potter and the Philosopher's Stone", "Hairy, Mary", "The Brothers Karamazov by Dostoevsky",
            "Война и мир",
            "Of Mice and Men: it, 1984", "J.R.R. Tolkien",
        ])
        #expect(try self.near(asked, in: connection) == near)
    }

    @Test("Every similar word is found by its parts", arguments: [1, 2, 3])
    func completeness(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        // A small alphabet yields many similar words.
        let letters = Array("abcж".unicodeScalars)
        func word() -> String {
            var word = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 2...11, using: &random) { word.append(letters.randomElement(using: &random)!) }
            return String(word)
        }
        let all = Set((0..<800).map { _ in word() }).sorted()
        let connection = try table()
        for word in all { try WordTable.add(FoldedSearchText(word).bytes, in: connection) }
        let folded = try words(in: connection).sorted().map { ($0, try #require(FoldedWordLetters($0.utf8))) }
        for (asked, letters) in folded.prefix(150) {
            var expected: Set<String> = []
            for (word, other) in folded where word != asked {
                let max = MisspellingParts.distanceMax(other.scalars.count, letters.scalars.count)
                guard max > 0, letters.distance(to: other, max: max) != nil else { continue }
                expected.insert(word)
            }
            var found: Set<String> = []
            for length in 2...FoldedWordLetters.countMax {
                for key in MisspellingParts.keys(of: letters, amongWordsOf: length) {
                    found.formUnion(
                        try connection.statement("SELECT word FROM words WHERE part = ?1").bind(key).all {
                            $0.text(0)
                        })
                }
            }
            #expect(expected.subtracting(found).isEmpty, "near to \(asked)")
        }
    }

    @Test("Words with digits and very long words are not stored")
    func kept() throws {
        let connection = try table(["The 39 Steps, or: a Catch22 in the " + String(repeating: "x", count: 33)])
        #expect(try words(in: connection) == ["the", "steps", "or", "in"])
    }

    @Test("A word is deleted with the last book that has it, in its title or among its authors")
    func unused() throws {
        let fixture = try StoreFixture()
        func known(_ word: String) throws -> Bool {
            let connection = try SQLiteConnection(
                path: fixture.directory + "/lectern.sqlite", flags: SQLITE_OPEN_READONLY)
            return try words(in: connection).contains(word)
        }
        let book = try fixture.addBook(#"{"title": "Emma Wonderland", "authors": ["Jane Austen"]}"#)
        let other = try fixture.addBook(#"{"title": "Jane", "authors": ["Emma"]}"#)
        _ = try fixture.updateBook(book, #"{"title": "Persuasion Emma"}"#)
        #expect(try !known("wonderland") && known("emma") && known("austen") && known("persuasion"))
        try fixture.run(Command.deleteBook(book).by(fixture.administrator))
        #expect(try known("emma") && known("jane") && !known("austen") && !known("persuasion"))
        _ = try fixture.updateBook(other, #"{"title": "Wonderland"}"#)
        #expect(try known("wonderland") && !known("jane") && known("emma"))
        #expect(try Store.checkOpen(fixture).isEmpty)
    }

    @Test("A word that was rolled back is added again")
    func rollback() throws {
        let connection = try table()
        try connection.run("BEGIN")
        try WordTable.add(FoldedSearchText("Emma").bytes, in: connection)
        try connection.run("ROLLBACK")
        connection.knownWords = []
        try WordTable.add(FoldedSearchText("Emma").bytes, in: connection)
        #expect(try words(in: connection) == ["emma"])
    }
}
