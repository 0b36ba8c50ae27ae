import Foundation
import Glibc
import SharedByTests
import Testing

@testable import lectern

@Suite("Progress of an import")
struct ImportProgressTests {
    @Test("The progress is an occasional line with the rows done, the rate and the remaining time")
    func lines() {
        var progress = ImportProgress(of: "a.csv", total: 1_000_000, "rows")
        for (done, seconds, text) in [
            (60_000, 9.9, nil),
            (119_999, 20, "119999 of 1000000 rows (11 %), 5999 rows a second, about 2 min 26 s left\n"),
            (149_000, 25, nil), (150_000, 20.9, nil),
            (150_001, 21, "150001 of 1000000 rows (15 %), 7142 rows a second, about 1 min 58 s left\n"),
            (900_000, 100, "900000 of 1000000 rows (90 %), 9000 rows a second, about 11 s left\n"),
            (950_000, 10_000_000, "950000 of 1000000 rows (95 %), 0 rows a second, about 146 h 11 min left\n"),
            (1_000_000, 20_000_000, nil),
        ] as [(Int, Double, String?)] {
            #expect(progress.text(done, after: .seconds(seconds)) == text, "\(done)")
        }
    }

    @Test("A long run has about twenty lines, and a short one none", arguments: [(3600.0, 15...20), (9, 0...0)])
    func count(_ row: (seconds: Double, lines: ClosedRange<Int>)) {
        var progress = ImportProgress(of: "a.csv", total: 5000, "rows")
        let lines = (1...5000).compactMap { progress.text($0, after: .seconds(row.seconds * Double($0) / 5000)) }
        #expect(row.lines.contains(lines.count), "\(lines)")
    }

    @Test("After SIGINT the imported rows stay, the progress is printed, and the same command continues")
    func stopped() throws {
        let fixture = try ImportFixture()
        let total = 4000
        let path = try fixture.write(
            "b.csv", Array(("title\n" + (0..<total).map { "Book \($0)\n" }.joined()).utf8))
        let process = Process()
        process.executableURL = URL(filePath: Binary.path)
        process.arguments = ["import", "books", path, "--data", fixture.folder + "/data"]
        let (out, err) = (Pipe(), Pipe())
        process.standardOutput = out
        process.standardError = err
        try process.run()
        // From here on the program handles signals.
        #expect(eventually { access(fixture.folder + "/data/lectern.sock", F_OK) == 0 })
        process.interrupt()
        let output = String(decoding: out.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        let complaint = String(decoding: err.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationReason == .exit && process.terminationStatus == 1)
        let done = try #require(output.firstMatch(of: #/^(\d+) rows: (\d+) created/#))
        let count = try #require(Int(done.1))
        #expect(done.1 == done.2 && count < total, "\(output)")
        #expect(complaint.contains("SIGINT after \(count) of \(total) rows"), "\(complaint)")
        let again = try Binary.run(process.arguments ?? [])
        #expect(
            again.code == 0 && again.out.hasPrefix("\(total) rows: \(total - count) created, 0 updated, \(count) unch"))
    }
}
