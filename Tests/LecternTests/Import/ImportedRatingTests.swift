import Foundation
import JSON
import Testing

@Suite("Stars in an imported file")
struct ImportedRatingTests {
    private let fixture: ImportFixture

    init() throws { fixture = try ImportFixture() }

    /// Returns the lines of one kind in an export of everything.
    private func lines(_ kind: String) throws -> [JSONValue] {
        let export = try Binary.run(["export", "--data", fixture.folder + "/data"])
        #expect(export.code == 0, "\(export.err)")
        return try export.out.split(separator: "\n").map { try JSONDocument(Array($0.utf8)).root }.filter {
            $0["kind"]?.string == kind
        }
    }

    private func stars() throws -> [Double] { try lines("rating").compactMap { $0["stars"]?.double } }

    @Test("Goodreads' stars rate finished readings, once; 0 is no rating, and a book that was not read has none")
    func goodreads() throws {
        let text = """
            Book Id,Title,Author,My Rating,Date Read,Date Added,Exclusive Shelf
            1,Kindred,Octavia E. Butler,5,2019/05/27,2018/01/02,read
            2,Dawn,Octavia E. Butler,0,,2018/01/02,read
            3,Imago,Octavia E. Butler,,,2018/01/02,read
            4,Adulthood Rites,Octavia E. Butler,3,,2018/01/02,read
            5,Fledgling,Octavia E. Butler,2,,2018/01/02,to-read
            6,Survivor,Octavia E. Butler,11,,2018/01/02,read

            """
        let dry = try fixture.load("b.csv", text, "--dry-run")
        #expect(dry.out.contains("6 can be imported, 0 failed, 2 with stars, 2 with a warning"), "\(dry.out)")
        let result = try fixture.load("b.csv", text)
        #expect(result.code == 0 && result.out.contains("6 created"), "\(result.out)\(result.err)")
        #expect(result.out.contains(", 2 with stars, 2 with a warning\n"), "\(result.out)")
        #expect(result.err.contains("b.csv:6: warning: stars: the book was not read to its end: left out"))
        #expect(result.err.contains("b.csv:7: warning: stars: \"11\" is not a number up to 5: left out"))
        #expect(try stars() == [5, 3])
        let readings = try lines("reading")
        #expect(readings.compactMap { $0["state"]?.string } == ["finished", "finished"])
        #expect(readings.compactMap { $0["finishedAt"]?.string?.prefix(10) } == ["2019-05-27", "2018-01-02"])
        let (books, ratings) = (try lines("book"), try lines("rating"))
        for other in [text, text.replacing(",5,", with: ",4,"), text.replacing("2019/05/27", with: "2020/05/27")] {
            for flags in [[], ["--source", "goodreads"]] {
                let again = try fixture.load("b.csv", other, flags)
                #expect(again.out.contains("6 unchanged") && !again.out.contains("with stars"), "\(again.out)")
                #expect(!again.err.contains("b.csv:2"), "\(again.err)")
                #expect(try lines("book") == books && lines("reading") == readings && lines("rating") == ratings)
            }
        }
    }

    @Test("A date that is none, or to come, is left out with a warning, and another column's date counts")
    func dates() throws {
        let text = """
            Book Id,Title,Author,My Rating,Date Read,Date Added,Exclusive Shelf
            1,Kindred,Octavia E. Butler,5,2021/13/45,2018/01/02,read
            2,Dawn,Octavia E. Butler,4,2999/01/01,2018/01/03,read
            3,Imago,Octavia E. Butler,3,May 2020,02/03/2021,read

            """
        for flags in [["--dry-run"], []] {
            let result = try fixture.load("b.csv", text, flags)
            #expect(result.code == 0 && result.out.contains("3 with stars, 3 with a warning"), "\(result.out)")
            for (line, dates) in [(2, ["2021/13/45"]), (3, ["2999/01/01"]), (4, ["May 2020", "02/03/2021"])] {
                let warnings = dates.map { "date: \"\($0)\" is not a past date such as 2024/02/29: left out" }
                let text = "b.csv:\(line): warning: " + warnings.joined(separator: "; ") + "\n"
                #expect(result.err.contains(text), "\(result.err)")
            }
        }
        let found = try lines("reading").compactMap { $0["finishedAt"]?.string?.prefix(10) }
        #expect(found.prefix(2) == ["2018-01-02", "2018-01-03"] && found.count == 3)
    }

    @Test("A reader who may not change the catalogue rates books whose values differ from the file's")
    func otherValues() throws {
        func text(pages: Int) -> [UInt8] {
            Array(
                "Book Id,Title,Author,My Rating,Number of Pages,Exclusive Shelf\n1,Dawn,Butler,5,\(pages),read\n".utf8)
        }
        let server = try Binary(data: fixture.folder + "/data")
        defer { server.kill() }
        func token(_ flags: String...) throws -> String {
            try Binary.run(["token", "create", "--name", "t", "--data", fixture.folder + "/data"] + flags).out
                .trimmingCharacters(in: .newlines)
        }
        func load(_ pages: Int, _ token: String) throws -> (code: Int32, out: String, err: String) {
            let path = try fixture.write("goodreads.csv", text(pages: pages))
            return try Binary.run(
                ["import", "books", path, "--server", "http://127.0.0.1:\(server.port)", "--token", token])
        }
        let administrator = try token()
        #expect(try load(248, administrator).out.contains("1 created"))
        let client = Client(port: server.port, token: administrator)
        let reader = try client.send("POST", "/v1/readers", "{\"name\":\"Una\"}")?["id"]?.string ?? ""
        let result = try load(264, token("--reader", reader))
        #expect(result.code == 0 && result.out.contains("1 not changed"), "\(result.out)\(result.err)")
        #expect(try stars() == [5, 5])
    }

    @Test("StoryGraph's quarters of a star are rounded up to halves")
    func storygraph() throws {
        let text = """
            Title,Authors,ISBN/UID,Read Status,Last Date Read,Star Rating
            Kindred,Octavia E. Butler,,read,2021/05/27,4.25
            Dawn,Octavia E. Butler,,read,,3.75
            Imago,Octavia E. Butler,,read,,4.5
            Fledgling,Octavia E. Butler,,read,,0.25
            Survivor,Octavia E. Butler,,did-not-finish,,2.0

            """
        let result = try fixture.load("b.csv", text)
        #expect(result.code == 0 && result.out.contains("5 created"), "\(result.err)")
        #expect(try stars() == [4.5, 4, 4.5, 0.5])
    }

    @Test("Each reading in a CSV file of an account keeps its stars, and its book the title and authors")
    func own() throws {
        let text = #"""
            type,title,authors,isbn,reading,state,progress,page,at,finishedAt,device,text,kind,quote,language,stars
            reading,Kindred,Octavia E. Butler,,1,finished,1,,,2019-05-27T00:00:00.000Z,,,,,,3.5
            entry,Kindred,Octavia E. Butler,,1,,0.5,,2019-05-26T00:00:00.000Z,,,,,,,
            reading,Kindred,Octavia E. Butler,,2,finished,1,,,2020-05-27T00:00:00.000Z,,,,,,5
            note,Kindred,Octavia E. Butler,,,,0.1,,2019-05-27T00:00:00.000Z,,,"'-",quote,uno,es,
            knowledge,"'-Dash","Le Guin, Ursula",,,,1,,2019-05-27T00:00:00.000Z,,,,,,,
            knowledge,'Tis,A; B,,,,1,,2019-05-27T00:00:00.000Z,,,,,,,
            knowledge,"'""Repent!""",C,,,,1,,2019-05-27T00:00:00.000Z,,,,,,,

            """#
        for counts in ["4 created, 0 updated, 3 unchanged, 0 failed, 2 with stars", "7 unchanged, 0 failed\n"] {
            let result = try fixture.load("b.csv", text)
            #expect(result.code == 0 && result.out.contains(counts), "\(result.out)\(result.err)")
            #expect(try stars() == [3.5, 5])
        }
        #expect(try lines("reading").compactMap { $0["number"]?.integer } == [1, 2])
        #expect(try fixture.titles() == ["Kindred", "-Dash", "'Tis", "'\"Repent!\""])
        #expect(try fixture.authors() == [["Octavia E. Butler"], ["Le Guin, Ursula"], ["A", "B"], ["C"]])
        #expect(try lines("book").allSatisfy { $0["language"]?.isNull == true })
    }
}
