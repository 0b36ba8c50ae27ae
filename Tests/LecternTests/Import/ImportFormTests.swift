import Testing

@testable import lectern

@Suite("Forms of imported files")
struct ImportFormTests {
    /// The files that a command refuses, and its error messages.
    static let misfits: [(words: [String], text: String, says: [String])] = [
        (
            ["import"], "Title,Author\nDawn,Butler\n",
            ["b.csv:1: this is a CSV file of books", "`lectern import books "]
        ),
        (["import"], "\u{FEFF}\"Title\";\"Author\"\r\nDawn;Butler\r\n", ["`lectern import books "]),
        (["import"], "{\"title\":\"Dawn\"}\n", ["this is not an export of Lectern", "\"kind\":\"export\""]),
        (
            ["import"], "type,title,authors,isbn,reading,state\r\nreading,Dawn,Butler,,1,reading\r\n",
            ["an account as CSV, which cannot be imported", "`lectern export --own FILE`"]
        ),
        (
            ["import"], "{\"kind\":\"export\",\"format\":2,\"of\":\"account\"}\n{\"kind\":\"end\",\"lines\":0}\n",
            ["b.csv:1: the export's first line must have", "Nothing was imported"]
        ),
        (["import"], "Dear diary\n", ["this is not an export of Lectern"]),
        (
            ["import", "books"],
            "{\"kind\":\"export\",\"format\":2,\"of\":\"everything\"}\n{\"kind\":\"book\",\"a\":1}\n",
            ["is an export. Import it with `lectern import "]
        ),
        (
            ["import", "books"], "Titel;Autor\nDawn;Butler\n",
            ["one of them title (or name)", "it has \"Titel\", \"Autor\"", "Nothing was imported"]
        ),
    ]

    @Test("A file of another format is refused with the right command", arguments: misfits)
    func misfit(_ row: (words: [String], text: String, says: [String])) throws {
        let fixture = try ImportFixture()
        let path = try fixture.write("b.csv", Array(row.text.utf8))
        let result = try Binary.run(row.words + [path, "--data", fixture.folder + "/data"])
        #expect(result.code == 1)
        for text in row.says { #expect(result.err.contains(text), "\(result.err)") }
    }

    @Test("Columns may be separated by semicolons or tabs", arguments: [";", "\t"])
    func separators(_ separator: String) throws {
        let fixture = try ImportFixture()
        let rows = [["title", "authors", "pages"], ["\"Crime; and, Punishment\"", "Dostoevsky", "545"]]
        let result = try fixture.load("b.csv", rows.map { $0.joined(separator: separator) + "\r\n" }.joined())
        #expect(result.code == 0 && result.out.contains("1 created"), "\(result.err)")
        #expect(try fixture.titles() == ["Crime; and, Punishment"])
    }

    @Test("The separator is the most frequent one in the header outside of quotes")
    func separator() {
        func found(_ text: String) -> String {
            String(decoding: [CSVParser.separator(of: Array(text.utf8))], as: UTF8.self)
        }
        #expect(found("a,b,c\n;;;;;\n") == ",")
        #expect(found("\"a,b,c\";d\n") == ";")
        #expect(found("a\tb,c\td\n") == "\t")
        #expect(found("a\n") == "," && found("") == ",")
    }

    static let authors: [(text: String, authors: [String])] = [
        ("title;author\nDawn;Le Guin, Ursula\n", ["Le Guin, Ursula"]),
        ("title;author\nDawn;Le Guin, Ursula K.\n", ["Le Guin, Ursula K."]),
        ("title\tauthor\nDawn\tTolkien, J. R. R.\n", ["Tolkien, J. R. R."]),
        ("title;author\nDawn;Neil Gaiman, Terry Pratchett\n", ["Neil Gaiman", "Terry Pratchett"]),
        ("title;author\nDawn;Ann Leckie , N. K. Jemisin,Ted Chiang\n", ["Ann Leckie", "N. K. Jemisin", "Ted Chiang"]),
        ("title;author\nDawn;\"King, Stephen; Straub, Peter\"\n", ["King, Stephen", "Straub, Peter"]),
        ("title,author\nDawn,\"King, Stephen; Straub, Peter\"\n", ["King, Stephen", "Straub, Peter"]),
        ("title,author\nDawn,\"Homer, Robert Fagles\"\n", ["Homer", "Robert Fagles"]),
    ]

    @Test(
        "A comma belongs to a name, family name first, where columns or names have another separator",
        arguments: authors)
    func commas(_ row: (text: String, authors: [String])) throws {
        let fixture = try ImportFixture()
        let result = try fixture.load("b.csv", row.text)
        #expect(result.code == 0 && result.out.contains("1 created"), "\(result.err)")
        #expect(try fixture.authors() == [row.authors])
    }

    static let goodreads = """
        Book Id,Title,Author,My Rating,Exclusive Shelf
        68428,"The Final Empire (Mistborn, #1)",Brandon Sanderson,5,read
        7,Dune (Chronicles #1-3),Frank Herbert,4,read
        8,"(500) Days, #1",Nobody,4,read
        9,Persepolis (French Edition),Marjane Satrapi,4,read

        """

    @Test("A series in parentheses is removed from a Goodreads title, and the summary says so")
    func series() throws {
        let fixture = try ImportFixture()
        for counts in ["4 created", "4 unchanged"] {
            let result = try fixture.load("b.csv", Self.goodreads)
            #expect(result.code == 0 && result.out.contains(counts), "\(result.out)\(result.err)")
            #expect(result.out.contains("\nseries left out of 2 titles, such as (Mistborn, #1)\n"), "\(result.out)")
        }
        #expect(
            try Set(fixture.titles()) == ["The Final Empire", "Dune", "(500) Days, #1", "Persepolis (French Edition)"])
    }

    @Test("A StoryGraph export has its ISBN in a column of two kinds of numbers, and the summary names unused columns")
    func storygraph() throws {
        let fixture = try ImportFixture()
        let text = """
            Title,Authors,Contributors,ISBN/UID,Format,Read Status,Star Rating
            Dawn,Octavia E. Butler,,9780446603775,paperback,read,4.5
            Imago,Octavia E. Butler,,b0d1c2e3-0000-4000-8000-000000000000,digital,read,
            Adulthood Rites,Octavia E. Butler,,9780446603776,digital,read,

            """
        let result = try fixture.load("b.csv", text)
        #expect(result.code == 0 && result.out.contains("3 created") && result.out.contains("1 with a warning"))
        #expect(result.err.contains("b.csv:4: warning: isbn:") && !result.err.contains("b.csv:3"), "\(result.err)")
        #expect(result.out.contains("\ncolumns not used: Contributors, Format\n"))
        let columns = try #require(CSVBookColumns(header: ["Title", "ISBN/UID", "Read Status"]))
        let row = try #require(CSVParser.rows(Array("Title,ISBN/UID,Read Status\nDawn,9780446603775,read\n".utf8)).last)
        let source = try CSVRowSource(named: nil, form: columns.form, file: "b.csv")
        #expect(
            String(decoding: try columns.book(row, of: source).body, as: UTF8.self).contains(
                "\"isbn\":\"9780446603775\""))
    }

    @Test("An import whose server disappears ends at the first row without a response, and says how to continue")
    func lostServer() throws {
        let rows = (1...1000).map { "Title \($0),Somebody" }.joined(separator: "\n")
        let fixture = try ImportFixture()
        let file = try fixture.write("b.csv", Array("Title,Author\n\(rows)\n".utf8))
        defer { withExtendedLifetime(fixture) {} }
        // No server listens at port 1.
        let run = try Binary.run(["import", "books", file, "--server", "http://127.0.0.1:1", "--token", "t"])
        #expect(run.code == 1 && run.err.split(separator: "\n").count == 1, "\(run.err)")
        #expect(run.err.contains("run the same command again to continue"), "\(run.err)")
    }
}
