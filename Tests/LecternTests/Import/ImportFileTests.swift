import Foundation
import Glibc
import Model
import Testing

@testable import lectern

@Suite("The file of an import")
struct ImportFileTests {
    @Test("An input that can be read only once is imported like a file")
    func pipe() throws {
        let fixture = try ImportFixture()
        let path = fixture.folder + "/pipe.csv"
        #expect(mkfifo(path, 0o600) == 0)
        let text = "title\n" + (0..<12_000).map { "Book \($0)\n" }.joined()
        // A refused pipe must not end the tests.
        signal(SIGPIPE, SIG_IGN)
        let writer = Thread { try? Data(text.utf8).write(to: URL(filePath: path), options: []) }
        writer.start()
        let result = try Binary.run(["import", "books", path, "--data", fixture.folder + "/data", "--dry-run"])
        #expect(result.code == 0 && result.out.hasPrefix("12000 rows: 12000 can be imported"), "\(result)")
    }

    @Test("A folder and a missing file are refused")
    func unreadable() throws {
        let fixture = try ImportFixture()
        for (path, why) in [(fixture.folder, "Is a directory"), (fixture.folder + "/none.csv", "No such file")] {
            let result = try Binary.run(["import", "books", path, "--data", fixture.folder + "/data"])
            #expect(result.code == 1 && result.err.contains("\(path) cannot be read: \(why)"), "\(result.err)")
            #expect(access(fixture.folder + "/data", F_OK) != 0)
        }
    }

    @Test("Of several rows of a book the first is imported, equal ones count as unchanged, and others fail")
    func repeats() throws {
        let fixture = try ImportFixture()
        let text = "book_id,title\n" + (0..<200).map { "\($0 % 150),T\($0 == 170 ? 0 : $0 % 150)\n" }.joined()
        let file = try ImportFile(try fixture.write("b.csv", Array(text.utf8)))
        var run = try CSVBookImport(file, source: "mine")
        try run.check()
        #expect(run.tally[.good] == 150 && run.tally[.unchanged] == 49 && run.tally[.failed] == 1)
    }
}
