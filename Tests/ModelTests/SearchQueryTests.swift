import Testing

@testable import Model

/// Tests of queries: the query, the stored text, and whether it matches.
@Suite("Typed searches")
struct SearchQueryTests {
    static let rows: [(asked: String, stored: String, isThere: Bool)] = [
        // Every word may be a prefix; all words must match, in any order.
        ("har pot", "Harry Potter", true), ("pot har", "Harry Potter", true), ("har pox", "Harry Potter", false),
        ("arry", "Harry Potter", false),
        // Initials, together or apart.
        ("jrr", "J.R.R. Tolkien", true), ("jrr", "J. R. R. Tolkien", true), ("j r r tolkien", "JRR Tolkien", true),
        ("j.r.r.", "JRR Tolkien", true), ("jr tolk", "J.R.R. Tolkien", true), ("jrr", "J. Rufus R.", false),
        ("usa", "U.S.A.", true), ("u.s.a.", "USA", true),
        // Hyphens, and the words that they join.
        ("spiderman", "Spider-Man", true), ("spider man", "Spiderman", true), ("spider-man", "Spider Man", true),
        ("spider‑man", "Spider—Man", true), ("catch22", "Catch-22", true), ("catch 22", "Catch22", true),
        ("nodejs", "Node.js", true), ("and/or", "and or", true),
        // Apostrophes and elisions.
        ("etranger", "L'Étranger", true), ("letranger", "L’Étranger", true), ("l etranger", "L'Étranger", true),
        ("l´etranger", "L'Étranger", true), ("l\u{1FFD}etranger", "Côte L´Étranger", true),
        ("l'etranger", "Étranger", true), ("brien", "Flann O'Brien", true),
        ("rosa", "dell'altra rosa", true), ("altra", "dell'altra rosa", true), ("enders game", "Ender's Game", true),
        ("ender's", "Enders", true), ("rock n roll", "Rock 'n' Roll", true),
        ("philosopher's stone", "Stone Soup", false), ("can't stop", "Stop the Train", false),
        ("we'll meet", "Lloyd Meets", false), ("d'or", "Or", true), ("isn't", "Tales", false),
        // Spellings.
        ("mueller", "Müller", true), ("müller", "Mueller", true), ("muller", "Mueller", true),
        ("maerchen", "Märchen", true), ("soeren", "Søren", true), ("kierkegard", "Kierkegaard", true),
        ("kierkegaard", "Kierkegård", true), ("encyclopedia", "Encyclopædia", true),
        ("encyclopaedia", "Encyclopedia", true), ("strasse", "Straße", true), ("lodz", "Łódź", true),
        ("eli ve nino", "Əli və Nino", true), ("colleccio", "Col·lecció", true),
        // Numbers.
        ("20000", "20,000 Leagues", true), ("20,000", "20000 Leagues", true), ("20 000", "20.000 Meilen", true),
        ("1000000", "1,000,000 Things", true), ("2000", "20, 00", false), ("٢٠", "20", true),
        // And.
        ("angels and demons", "Angels & Demons", true), ("angels & demons", "Angels and Demons", true),
        ("en", "Mice & Men", false), ("en", "Endless", true), ("&", "Mice & Men", true),
        ("mice en", "Mice & Men", true),
        ("krieg & frieden", "Krieg und Frieden", true), ("krieg und frieden", "Krieg & Frieden", true),
        // Scripts without spaces match any part.
        ("東京", "東京物語", true), ("京物", "東京物語", true), ("物東", "東京物語", false), ("もの", "モノ", true),
        ("カ", "ガ", false), ("ｶﾞ", "が", true), ("ハリーポッター", "ハリー・ポッターと賢者の石", true),
        ("กิน", "คนกินเมือง", true), ("น้ำ", "แม่นํา", true), ("나무", "사과나무", true), ("사과 나무", "사과나무", true),
        ("나", "낙", true), ("낙", "나", false), ("dune砂", "Dune 砂の惑星", true),
        // Arabic, Hebrew, Indic.
        ("خبز", "الخبز الحافي", true), ("الخبز", "خبز", true), ("كتابي", "كتابى", true), ("أحمد", "احمد", true),
        ("שלום", "שָׁלוֹם", true), ("किला", "क़िला", true), ("कल", "किला", false),
        // Separators are ignored.
        ("c++", "C", true), ("(", "anything", false),
    ]

    @Test("A search finds what is meant, and nothing else", arguments: rows)
    func row(_ row: (asked: String, stored: String, isThere: Bool)) {
        let query = SearchQuery(row.asked)
        #expect(query?.matches(FoldedSearchText(row.stored)) ?? false == row.isThere)
    }

    @Test("Of more than four words short ones are not prefixes, and of more than eight only the last one is")
    func shortWords() throws {
        let text = FoldedSearchText("Aa bb cc dd ee ff")
        #expect(try #require(SearchQuery("a b c d")).matches(text))
        #expect(try !#require(SearchQuery("a bb cc dd ee")).matches(text))
        #expect(try #require(SearchQuery("aa bb cc dd e")).matches(text))
        let long = FoldedSearchText("One two three four five six seven eight nine")
        #expect(try #require(SearchQuery("one two thr four five six seven eig")).matches(long))
        #expect(try !#require(SearchQuery("one two thr four five six seven eight nine")).matches(long))
        #expect(try #require(SearchQuery("one two three four five six seven eight ni")).matches(long))
    }

    @Test("An ISBN is read in any spelling, and other numbers are not ISBNs")
    func isbn() {
        for text in [
            "978-0-439-02348-1", "9780439023481", "0439023483", "0-439-02348-3", "ISBN 0 439 02348 3",
            "isbn:9780439023481",
            "ISBN-13: 978‑0‑439‑02348‑1", "ISBN10 0439023483", "９７８０４３９０２３４８１",
        ] { #expect(ISBN(typed: text)?.digits == "9780439023481", "\(text)") }
        #expect(ISBN(typed: "080442957x")?.digits == "9780804429573")
        for text in ["1984", "9780439023482", "harry 9780439023481", "", "isbn"] {
            #expect(ISBN(typed: text) == nil, "\(text)")
        }
    }

    /// The queries, and titles with authors from the best to the worst.
    static let orders: [(asked: String, books: [(title: String, author: String)])] = [
        ("it", [("It", "King"), ("It Chooses You", "July"), ("Italian Folktales", "Calvino"), ("Make It So", "X")]),
        ("hobbit", [("The Hobbit", "T"), ("The Hobbit: Graphic Novel", "T"), ("The History of the Hobbit", "T")]),
        ("tolkien hobbit", [("The Hobbit", "Tolkien"), ("The Hobbit and Other Stories", "Tolkien")]),
        ("angels and demons", [("Angels & Demons", "B"), ("Angels and Demons in Art", "G")]),
        ("dune", [("Dune (Dune Chronicles #1)", "H"), ("Dune Messiah", "H"), ("Road to Dune", "H"), ("X", "Dunelm")]),
        ("poe", [("Tales", "Edgar Allan Poe"), ("Poetry of the Sea", "A. B.")]),
        ("høeg", [("Borderliners", "Peter Høeg"), ("Hogwarts: A History", "B. B.")]),
        ("c.s. lewis", [("Prince Caspian", "C.S. Lewis"), ("Sacajawea (Lewis & Clark)", "Carl Smith")]),
        ("steven", [("Steven", "X"), ("Silence", "Steven Hall"), ("Stevens", "X")]),
        ("ital", [("Italian Folktales", "C"), ("Cooking Italian", "H")]),
        ("东京", [("东京", "X"), ("东京爱情故事", "X"), ("再见东京", "X")]),
    ]

    @Test(
        "The searched title comes first, then titles with that beginning, then those with the words", arguments: orders)
    func relevance(_ row: (asked: String, books: [(title: String, author: String)])) throws {
        let relevance = BookRelevance(try #require(SearchQuery(row.asked)))
        let scores = row.books.map { relevance.score(of: SearchedWords(title: $0.title, authors: [$0.author])) }
        #expect(zip(scores, scores.dropFirst()).allSatisfy { $0 > $1 }, "\(scores)")
    }
}
