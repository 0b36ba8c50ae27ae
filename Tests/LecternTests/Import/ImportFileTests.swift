import Foundation
import Glibc
import Model
import Testing

@testable import lectern

@Suite("The file of an import")
struct ImportFileTests {
    private func read(_ file: ImportFile) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            let chunk = try file.chunk()
            if chunk.isEmpty { return bytes }
            bytes += chunk
        }
    }

    static let changes: [(name: String, change: @Sendable ([UInt8]) -> [UInt8])] = [
        ("a byte", { $0.dropLast(10) + [0] + $0.suffix(9) }), ("longer", { $0 + [0x78] }),
        ("shorter", { $0.dropLast() }),
        ("without its last chunk", { Array($0.prefix(ImportFile.chunkBytes)) }), ("empty", { _ in [] }),
    ]

    @Test("A file that changes between its two readings is detected", arguments: changes)
    func changed(_ row: (name: String, change: @Sendable ([UInt8]) -> [UInt8])) throws {
        let fixture = try ImportFixture()
        let bytes = [UInt8](repeating: 0x61, count: ImportFile.chunkBytes + 1000)
        let path = try fixture.write("b.csv", bytes)
        let file = try ImportFile(path)
        for _ in 0..<2 {
            let isWhole = try read(file) == bytes
            #expect(isWhole)
            file.rewind()
        }
        // The file is changed in place, unlike an editor's replacement.
        let handle = try FileHandle(forWritingTo: URL(filePath: path))
        try handle.truncate(atOffset: 0)
        try handle.write(contentsOf: row.change(bytes))
        try handle.close()
        #expect { _ = try read(file) } throws: { "\($0)".contains("b.csv has changed since it was checked") }
    }

    @Test("Rows before a file's change are imported as they were, and none after it")
    func rowsOfChanged() throws {
        let fixture = try ImportFixture()
        let text = "title,pages\n" + (0..<20_000).map { "Book \($0),\($0 % 9)\n" }.joined()
        let path = try fixture.write("b.csv", Array(text.utf8))
        let file = try ImportFile(path)
        let survey = try ImportFirstPass(file, source: nil)
        #expect(survey.rows == 20_000)
        try Data(text.utf8.dropLast(2) + Data("x\n".utf8)).write(to: URL(filePath: path), options: [])
        var run = try ImportSecondPass(file, survey)
        #expect(throws: Failure.self) { try run.look() }
        #expect(run.tally[.failed] == 0 && (1000..<20_000).contains(run.tally[.good]))
    }

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

    @Test("Two books with the same fingerprint stay two books")
    func fingerprints() throws {
        let fixture = try ImportFixture()
        let text = "book_id,title\n" + (0..<200).map { "\($0 % 150),T\($0 == 170 ? 0 : $0 % 150)\n" }.joined()
        let file = try ImportFile(try fixture.write("b.csv", Array(text.utf8)))
        var survey = try ImportFirstPass(file, source: "mine")
        var run = try ImportSecondPass(file, survey)
        try run.look()
        #expect(run.tally[.good] == 150 && run.tally[.unchanged] == 49 && run.tally[.failed] == 1)
        // This simulates ids with equal fingerprints.
        for number in 0..<150 {
            let id = CSVBookColumns.id(of: "mine:\(number)")
            for high in [id.high, ~id.high] { survey.repeats.note(ResourceID(high: high, low: id.low)) }
        }
        survey.repeats.close()
        var again = try ImportSecondPass(file, survey)
        try again.look()
        #expect(again.tally[.good] == 150 && again.tally[.unchanged] == 49 && again.tally[.failed] == 1)
    }

    @Test("The first row of a repeated book is remembered by its whole id")
    func repeats() {
        func row(_ id: ResourceID, _ text: String = "x") -> CSVBookRow {
            CSVBookRow(id: id, body: Array(text.utf8), warnings: [], series: nil)
        }
        let ids = (0..<1000).map { CSVBookColumns.id(of: "\($0)") }
        var repeats = DuplicateBookRows()
        for id in ids + ids.filter({ $0.low % 3 == 0 }) + ids.filter({ $0.low % 6 == 0 }) { repeats.note(id) }
        repeats.close()
        for (line, id) in ids.enumerated() {
            let twin = row(ResourceID(high: ~id.high, low: id.low), "y")
            let isRepeated = id.low % 3 == 0
            #expect(repeats.first(row(id), line: line) == nil)
            #expect(repeats.first(twin, line: line + 5000) == nil)
            for (row, place, isSame) in [(row(id), line, true), (row(id, "y"), line, false), (twin, line + 5000, true)]
            {
                let first = repeats.first(row, line: 1)
                #expect(first?.line == (isRepeated ? place : nil) && first?.isSame == (isRepeated ? isSame : nil))
            }
        }
    }
}
