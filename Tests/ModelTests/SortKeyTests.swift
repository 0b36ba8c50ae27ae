import Foundation
import Model
import Testing

@Suite("Sorted titles")
struct SortKeyTests {
    private static func key(_ title: String, _ language: String? = nil) -> [UInt8] {
        BookSortKey(title: title, language: language).bytes
    }

    private func isSorted(_ titles: [String], in language: String? = nil) -> [String] {
        zip(titles, titles.dropFirst()).filter {
            !Self.key($0.0, language).lexicographicallyPrecedes(Self.key($0.1, language))
        }.map { "\($0) | \($1)" }
    }

    @Test(
        "Titles are sorted in a librarian's order",
        arguments: [
            ["", "Ape", "Ape House", "Ape-Men", "Apéro", "Apes"],
            ["7 Plays", "Nine", "Seven"],
            ["0", "007", "9", "10", "12th Night", "13", "1984", "2001", "20000", "30000", "Emma"],
            ["3 Men", "3D", "4", "12", "Area 9", "Area 51", "Area X"],
            ["Catch 22", "Catch-23", "Catch 100", "Catch Me"], ["Nº 9", "No. 10"],
            ["123456789", "999999999", "1234567890", "99999999999999999", "100000000000000000"],
            ["résumé", "resume 2", "Resumé B"], ["Côté", "Cotes"],
            ["lz", "ł", "ła", "Łódź", "m"], ["l", "lz", "ł"], ["Lodz", "Łódź"],
            ["dz", "đ", "e"], ["hz", "Ħal", "i"], ["oz", "Øst", "p"], ["tz", "Ŧ", "u"],
            ["Aeneid", "Ænima", "Aerie"], ["Œdipus", "Oen"], ["Maße", "Massif"],
            ["Ада", "Анна", "Ёлка", "Ель", "Яма"], ["Άλφα", "Βήτα", "Ωμέγα"], ["אב", "בית"], ["كِتَاب", "لغة"],
            ["カメラ", "かーと\u{3099}"], ["Zoo", "Ωμέγα", "Яма", "あ", "漢"], ["가방", "나무"],
            ["Straße", "Strassen"], ["Ｆｕｌｌ", "Fullb"], ["ª", "b"], ["Ǿ", "p"],
        ])
    func order(_ titles: [String]) { #expect(isSorted(titles) == []) }

    @Test(
        "Titles that differ only in case, marks or forms of letters have one place",
        arguments: [
            ["resume", "résume", "Résumé"], ["Oedipus", "Œdipus"], ["Masse", "Maße"], ["Łodz", "Łódź"],
            ["كتاب", "كِتَاب"], ["カード", "かーと\u{3099}"],
        ])
    func place(_ titles: [String]) { #expect(Set(titles.map { Self.key($0) }).count == 1) }

    @Test(
        "Numbers sort by value, however they are written",
        arguments: [["020000 leagues", "20000 Leagues", "٢٠٠٠٠ leagues"], ["007", "7", "７", "٧"], ["0", "000"]])
    func numbers(_ titles: [String]) { #expect(Set(titles.map { Self.key($0) }).count == 1) }

    @Test(
        "Separate numbers stay separate",
        arguments: [
            ("1984 200", "1984200"), ("9 100 000", "9100 000"), ("20,000", "20000"), ("1,2,3", "123"),
            ("007 000", "7000"), ("24/7", "247"),
        ])
    func several(_ titles: (String, String)) { #expect(Self.key(titles.0) != Self.key(titles.1)) }

    static let articles: [(language: String, title: String, filed: String)] = [
        ("en", "The Hobbit", "Hobbit"), ("en", "A Room", "Room"), ("en", "An Artist", "Artist"),
        ("EN-gb", "THE Hobbit", "Hobbit"),
        ("en", "\"The Raven\"", "Raven"), ("en", "‘The Raven’", "Raven"), ("en", "'The Raven'", "Raven"),
        ("en", "The  \"Raven\"", "Raven"),
        ("en", "A is for Alibi", "is for Alibi"), ("fr", "L'Étranger", "Étranger"), ("fr", "L’Étranger", "Étranger"),
        ("fr", "L' Étranger", "Étranger"), ("fr-CA", "Les Misérables", "Misérables"), ("fr", "Une vie", "vie"),
        ("fr", "Des souris", "souris"),
        ("de", "Das Parfüm", "Parfüm"), ("de-AT", "Eine Frau", "Frau"), ("es", "El Aleph", "Aleph"),
        ("es", "Los detectives", "detectives"),
        ("pt-BR", "Os Lusíadas", "Lusíadas"), ("pt", "O crime", "crime"), ("it", "L'amica", "amica"),
        ("it", "Un'estate", "estate"),
        ("it", "Gli indifferenti", "indifferenti"), ("ca", "L'últim", "últim"), ("ca", "Els sots", "sots"),
        ("nl", "'t Hooge nest", "Hooge nest"), ("nl", "’t Hooge nest", "Hooge nest"), ("nl", "Het diner", "diner"),
        ("nl", "De avonden", "avonden"),
        ("af", "'n Droë wit", "Droë wit"), ("da", "Den lille", "lille"), ("sv", "Ett hem", "hem"),
        ("nb", "En mann", "mann"), ("no", "Ei hytte", "hytte"),
        ("nn", "Dei svarte", "svarte"), ("hu", "Az ajtó", "ajtó"), ("hu", "Egy polgár", "polgár"),
        ("ro", "O scrisoare", "scrisoare"),
        ("el", "Ο Ζορμπάς", "Ζορμπάς"), ("el", "Η φόνισσα", "φόνισσα"), ("el", "Ένας άνθρωπος", "άνθρωπος"),
        ("el", "ΈΝΑΣ ΆΝΘΡΩΠΟΣ", "ΆΝΘΡΩΠΟΣ"),
        ("ar", "الكتاب", "كتاب"), ("ar", "الْكِتَاب", "كِتَاب"), ("ar", "الأم", "أم"), ("ar", "al-Kitāb", "Kitāb"),
        ("ar", "Ash-shams", "shams"),
        ("he", "ha-Bayit", "Bayit"), ("cy", "Yr Hobyd", "Hobyd"), ("ga", "An Béal Bocht", "Béal Bocht"),
        ("gd", "A’ Bhean", "Bhean"),
        ("eo", "La Eta Princo", "Eta Princo"), ("gl", "Unha casa", "casa"), ("mt", "Il-Ktieb", "Ktieb"),
        ("yi", "דער נסתר", "נסתר"),
    ]

    @Test("The leading article of a book's language does not count", arguments: articles)
    func dropped(_ row: (language: String, title: String, filed: String)) {
        #expect(Self.key(row.title, row.language) == Self.key(row.filed))
        #expect(Self.key(row.title.decomposedStringWithCanonicalMapping, row.language) == Self.key(row.filed))
        #expect(Self.key(row.title) != Self.key(row.filed))
    }

    @Test(
        "A first word that is no article, or the only word, counts",
        arguments: [
            ("en", "The"), ("en", "The ..."), ("en", "A"), ("en", "A, B, C"), ("en", "A. Lincoln"), ("en", "A-Z"),
            ("en", "A: a novel"),
            ("en", "Theory"), ("en", "La La Land"), ("en", "An'"), ("fr", "The Hobbit"), ("fr", "L"), ("fr", "L Word"),
            ("fr", "L'"),
            ("fr", "Lettres"), ("de", "Dass"), ("nl", "t Is"), ("nl", "'s-Gravenhage"), ("ar", "الله"), ("ar", "الى"),
            ("ar", "الف ليلة"),
            ("ar", "ألمانيا"), ("ar", "ال"), ("ar", "Al Capone"), ("he", "הארי"), ("ja", "The Hobbit"),
            ("eng-x", "The Hobbit"), ("e", "A B"),
        ])
    func noArticles(_ row: (language: String, title: String)) {
        for title in [row.title, row.title.decomposedStringWithCanonicalMapping] {
            #expect(Self.key(title, row.language) == Self.key(title))
        }
    }

    @Test(
        "Titles with a beginning are one range, and the title with just these words is its first"
    )
    func ranges() {
        let titles = [
            "The Hobbit", "Hobbit", "Hóbbit", "Hobbits", "The Hobbits' War", "Hobgoblin", "A The Hobbit", "The Hob",
            "1984", "19", "L'Étranger",
        ]
        func found(_ text: String, _ language: String?) -> [[String]] {
            TitleRange.titles(beginningWith: text).map { range in
                titles.filter {
                    let key = Self.key($0, language)
                    return !key.lexicographicallyPrecedes(Array(range.first.utf8))
                        && key.lexicographicallyPrecedes(Array(range.end.utf8))
                }.sorted { Self.key($0, language).lexicographicallyPrecedes(Self.key($1, language)) }
            }
        }
        #expect(found("hobbit", nil) == [["Hobbit", "Hóbbit", "Hobbits"]])
        #expect(
            found("hobbit", "en")
                == [["The Hobbit", "Hobbit", "Hóbbit", "The Hobbits' War", "Hobbits"]].map {
                    $0.sorted { Self.key($0, "en").lexicographicallyPrecedes(Self.key($1, "en")) }
                })
        #expect(found("The hobbit", nil) == [["The Hobbit", "The Hobbits' War"], ["Hobbit", "Hóbbit", "Hobbits"]])
        #expect(found("the", nil) == [["The Hob", "The Hobbit", "The Hobbits' War"]])
        #expect(found("l’etr", "fr") == [[], ["L'Étranger"]] && found("etranger", "fr") == [["L'Étranger"]])
        #expect(found("1984", nil) == [["1984"]] && found("19", nil) == [["19"]])
        #expect(TitleRange.titles(beginningWith: " ... ") == [])
    }
}
