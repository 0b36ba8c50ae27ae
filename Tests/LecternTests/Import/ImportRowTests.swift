import Foundation
import Testing

@Suite("Rows of an imported file")
struct ImportRowTests {
    @Test("Two rows of one book in a named source must be equal, or the second is refused, in each run")
    func repeated() throws {
        let fixture = try ImportFixture()
        let text = "book_id,title\n" + (1...40).map { "\($0 % 20),T\($0 == 33 ? 99 : $0 % 20)\n" }.joined()
        for counts in ["20 created, 0 updated, 19 unchanged", "0 created, 0 updated, 39 unchanged"] {
            let result = try fixture.load("b.csv", text, "--source", "mine")
            #expect(result.code == 1 && result.out.contains(counts + ", 1 failed"), "\(result.out)")
            #expect(result.err.contains("b.csv:34: the row of line 14 is for the same book, and differs"))
        }
    }

    static let contradictions: [(text: String, first: Int, second: Int, kept: [String])] = [
        ("title,authors,publishedYear\nSame,Au,1990\nSame,Au,1991\nSame,Au,1990\n", 2, 3, ["Same"]),
        ("title,isbn\nA1,9780306406157\nA2,9780306406157\nA1,0-306-40615-2\n", 2, 3, ["A1"]),
        // An invalid row does not count as the first row of its book.
        ("title,authors,pages\nSame,Au,many\nSame,Au,1\nSame,Au,2\nSame,Au,1\n", 3, 4, ["Same"]),
    ]

    @Test(
        "Of two rows that disagree about one book the first is used, for every file format", arguments: contradictions)
    func contradict(_ row: (text: String, first: Int, second: Int, kept: [String])) throws {
        let complaint = "b.csv:\(row.second): the row of line \(row.first) is for the same book, and differs"
        for _ in 0..<4 {
            let fixture = try ImportFixture()
            let result = try fixture.load("b.csv", row.text)
            #expect(result.code == 1 && result.err.contains(complaint), "\(result.err)")
            #expect(result.out.contains("1 created, 0 updated, 1 unchanged, "), "\(result.out)")
            #expect(try fixture.titles() == row.kept)
            #expect(try fixture.load("b.csv", row.text, "--dry-run").err.contains(complaint))
        }
    }

    @Test("A row with more cells than the header is refused with its line")
    func cells() throws {
        let fixture = try ImportFixture()
        let text = "title,authors\nCrime, and Punishment,Dostoevsky\n\"Crime, and Punishment\",Dostoevsky\nShort\n"
        let result = try fixture.load("b.csv", text)
        #expect(result.code == 1 && result.out.contains("2 created") && result.out.contains("1 failed\n"))
        #expect(result.err.contains("b.csv:2: there are 3 cells, but 2 in the header"), "\(result.err)")
        #expect(try Set(fixture.titles()) == ["Crime, and Punishment", "Short"])
    }

    @Test("A wrong ISBN and an invalid cover address are left out with a warning; 0 pages are unknown")
    func warnings() throws {
        let fixture = try ImportFixture()
        let text = """
            title,isbn13,isbn,pages,cover
            X,,9780306406158,0,
            Y,,,12,ftp://covers.example/y.png
            Z,9.78030640616e+12,306406152,12,https://covers.example/nophoto.png

            """
        for flags in [["--dry-run"], []] {
            let path = try fixture.write("b.csv", Array(text.utf8))
            let result = try Binary.run(["import", "books", path, "--data", fixture.folder + "/data"] + flags)
            #expect(result.code == 0 && result.out.contains("0 failed, 2 with a warning"), "\(result.out)")
            #expect(result.err.contains("b.csv:2: warning: isbn: \"9780306406158\" is not valid"), "\(result.err)")
            #expect(result.err.contains("b.csv:3: warning: coverURL: \"ftp://covers.example/y.png\" is not an http"))
            #expect(!result.err.contains("b.csv:4") && !result.err.contains("pageCount"))
        }
        #expect(try Set(fixture.titles()) == ["X", "Y", "Z"])
    }

    @Test("Rows that are not books are reported with their lines, and the others are imported; a dry run only reports")
    func rows() throws {
        let fixture = try ImportFixture()
        let text = """
            title,pages,year,language
            Good,12,2008.0,en_GB
            A,12 pages,,
            B,2000000,,
            C,,10.5,
            D,,,Klingon
            \(String(repeating: "x", count: 501)),,,
            "Two
            lines",,,
            Dated,0,2008-09-14,French

            """
        for flags in [["--dry-run"], []] {
            let result = try Binary.run(
                ["import", "books", fixture.write("b.csv", Array(text.utf8)), "--data", fixture.folder + "/data"]
                    + flags)
            #expect(result.code == 1)
            for complaint in [
                ":3: pageCount: \"12 pages\" is not a whole number", ":4: pageCount: must be",
                ":5: publishedYear: \"10.5\"",
                ":6: language: \"Klingon\"", ":7: title: must be 1 to 500 characters", ":8: title: must",
            ] { #expect(result.err.contains(complaint), "\(result.err)") }
            #expect(
                result.out.contains(flags.isEmpty ? "2 created" : "2 can be imported, 6 failed; nothing was written"))
            if !flags.isEmpty { #expect(!FileManager.default.fileExists(atPath: fixture.folder + "/data")) }
        }
        #expect(try Set(fixture.titles()) == ["Good", "Dated"])
    }
}
