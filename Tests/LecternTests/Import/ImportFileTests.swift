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
        var run = try CSVBookImport(file, source: nil)
        #expect(run.total == 20_000)
        try Data(text.utf8.dropLast(2) + Data("x\n".utf8)).write(to: URL(filePath: path), options: [])
        #expect(throws: CommandFailure.self) { try run.check() }
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
