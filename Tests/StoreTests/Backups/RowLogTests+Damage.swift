import Foundation
import Glibc
import Model
import SharedByTests
import Testing

@testable import Store

/// Missing, damaged and hostile files of a log.
extension RowLogTests {
    /// Logs three books, each in a file of its own. Returns the paths of the files and the times of the books.
    private func log() throws -> (paths: [String], times: [Instant]) {
        let fixture = try open()
        var times: [Instant] = []
        for title in ["one", "two", "three"] {
            if title != "one" {
                let asked = fixture.store.backups.ask().id
                #expect(eventually { fixture.store.backups.all.first { $0.id == asked }?.state == .done })
            }
            times.append(try add(title, to: fixture))
        }
        fixture.store.close()
        let files = try files()
        #expect(files.map(\.id) == folder.backups().map(\.id))
        #expect(files.map(\.previous) == [nil, files[0].id, files[1].id])
        return (files.map { folder.path(of: RowLogFile.name(of: $0.id)) }, times)
    }

    /// Expects that a restore is refused, and that `--until`, as the error says, restores the first books.
    private func expectRefusal(_ words: String, before count: Int, _ comment: Comment? = nil) throws {
        let error = #expect(throws: StoreError.self, comment) { try restored() }
        let text = error?.description ?? ""
        #expect(text.contains(words) && text.contains("Nothing was restored"), "\(text)")
        let hint = text.components(separatedBy: "--until ").last?.prefix { $0 != "`" }
        let until = try #require(hint.flatMap { Instant(String($0)) }, "\(text)")
        #expect(try restored(until: until) == Array(["one", "two", "three"].prefix(count)), comment)
    }

    @Test(
        "A missing or unreadable file of a log is refused, unless it is not needed", arguments: RowLogAbsence.allCases)
    func missing(_ absence: RowLogAbsence) throws {
        defer { StoreFixture.remove(place) }
        let (paths, times) = try log()
        // They are no part of the log.
        mkdir(folder.path(of: RowLogFile.name(of: "20200101T000000000Z")), 0o700)
        try Data().write(to: URL(filePath: folder.path(of: RowLogFile.name(of: "20990101T000000000Z"))))
        #expect(try restored() == ["one", "two", "three"])
        for (number, path) in paths.enumerated() {
            #expect(rename(path, path + ".away") == 0)
            try absence.apply(to: path)
            try expectRefusal(path, before: number, "\(number)")
            if number > 0 { #expect(try restored(until: times[0]) == ["one"]) }
            #expect(remove(path) == 0 || absence == .deleted)
            #expect(rename(path + ".away", path) == 0)
        }
        let early = #expect(throws: StoreError.self) { try restored(until: Instant(milliseconds: 0)) }
        #expect(early?.description.contains("restore an earlier one") == true)
    }

    @Test("A file that ends before the next one begins, or has the name of another one, is refused")
    func incomplete() throws {
        defer { StoreFixture.remove(place) }
        let (paths, _) = try log()
        for (number, path) in paths.dropLast().enumerated() {
            let bytes = try #require(FileManager.default.contents(atPath: path))
            // The last record names the next file: 32 and 24 bytes with their digests. Or a byte of it is missing.
            for length in [bytes.count - 120, bytes.count - 1] {
                try bytes.prefix(length).write(to: URL(filePath: path))
                try expectRefusal("is not complete", before: number + 1)
            }
            try bytes.write(to: URL(filePath: path))
        }
        for (one, other) in [(0, 1), (1, 2), (0, 2)] {
            for isBack in [false, true] {
                #expect(rename(paths[one], place + "/x") == 0 && rename(paths[other], paths[one]) == 0)
                #expect(rename(place + "/x", paths[other]) == 0)
                if !isBack { try expectRefusal("does not begin like the log", before: one) }
            }
        }
        #expect(try restored() == ["one", "two", "three"])
    }

    @Test("A backup whose log was not copied is restored alone only with its own time")
    func alone() throws {
        defer { StoreFixture.remove(place) }
        let (paths, _) = try log()
        for path in paths { #expect(unlink(path) == 0) }
        try expectRefusal("No such file", before: 0)
    }

    @Test(
        "A record that was changed, exchanged or left out is refused; one that is not complete at the end does not count",
        arguments: RowLogDamage.allCases)
    func damaged(_ damage: RowLogDamage) throws {
        defer { StoreFixture.remove(place) }
        let (path, ends) = try single()
        let bytes = try #require(FileManager.default.contents(atPath: path))
        try damage.apply(to: bytes, ends).write(to: URL(filePath: path))
        guard damage.isEnd else { return try expectRefusal("does not match its digest", before: damage.before) }
        var said: [String] = []
        #expect(try restored(progress: RestoreProgress { said.append($0) }) == ["one", "two"])
        #expect(said == ["\(path) ends within a record, as after a kill. The record does not count"])
    }

    /// Logs three books in one file. Returns its path and the ends of its first line and records.
    private func single() throws -> (path: String, ends: [Int]) {
        let fixture = try open()
        let path = folder.path(of: RowLogFile.name(of: try #require(folder.backups().first).id))
        var ends = [Int(DataDirectory.size(path) ?? 0)]
        for title in ["one", "two", "three"] {
            try add(title, to: fixture)
            ends.append(Int(DataDirectory.size(path) ?? 0))
        }
        // Its end is not clean.
        let bytes = try #require(FileManager.default.contents(atPath: path))
        fixture.store.close()
        try bytes.write(to: URL(filePath: path))
        return (path, ends)
    }

    @Test("With changed bits or without its end a log is refused or restored up to there")
    func bits() throws {
        defer { StoreFixture.remove(place) }
        let (path, ends) = try single()
        let bytes = try #require(FileManager.default.contents(atPath: path))
        let titles = ["one", "two", "three"]
        for step in 0..<TestBudget.of(12, long: 400) {
            let place = Int.random(in: 0..<bytes.count)
            var changed = bytes
            changed[place] ^= 1 << UInt8.random(in: 0..<8)
            if step % 2 == 0 { changed = bytes.prefix(place) }
            try changed.write(to: URL(filePath: path))
            let before = ends.dropFirst().count { $0 <= place }
            if step % 2 == 0, place >= ends[0] {
                #expect(try restored() == Array(titles.prefix(before)), "\(place)")
            } else if place < ends[2] || place < ends[2] + 64 {
                try expectRefusal(path, before: before, "\(place)")
            } else {
                #expect(try restored() == ["one", "two"], "\(place)")
            }
        }
    }

    @Test("Numbers with a right digest are checked too")
    func hostile() throws {
        defer { StoreFixture.remove(place) }
        let (path, ends) = try single()
        let bytes = try #require(FileManager.default.contents(atPath: path))
        let digest = Array(bytes[(ends[2] - 32)..<ends[2]])
        for numbers: [Int64] in [
            [0, .max, 0, 0], [.max, 1, 0, 0], [0, -1, 0, 0], [0, 1 << 30, 0, 0], [0, 0, .min, 0], [0, 0, 0, -1],
        ] {
            let part = numbers.flatMap { withUnsafeBytes(of: $0.littleEndian, Array.init) }
            let end = Data(part + RowLogFile.digest(part, after: digest))
            try (bytes.prefix(ends[2]) + end).write(to: URL(filePath: path))
            // Bytes that the file does not have.
            #expect(truncate(path, 3 << 30) == 0)
            try expectRefusal("does not match", before: 2, "\(numbers)")
        }
    }

    @Test("Rows with a right digest that do not follow those of the database restore nothing")
    func repeated() throws {
        defer { StoreFixture.remove(place) }
        let (path, ends) = try single()
        var bytes = try #require(FileManager.default.contents(atPath: path)).prefix(ends[2])
        var digest = Array(bytes.suffix(32))
        // The second record again, a millisecond later.
        var numbers = Array(bytes[ends[1]..<(ends[1] + 32)])
        numbers[16] &+= 1
        if numbers[16] == 0 { numbers[17] &+= 1 }
        for part in [Data(numbers), bytes[(ends[1] + 64)..<(ends[2] - 32)]] {
            digest = RowLogFile.digest(Array(part), after: digest)
            bytes += part + digest
        }
        try bytes.write(to: URL(filePath: path))
        try expectRefusal("they do not follow those of the database", before: 2)
    }

    @Test("A long restore says how far it is")
    func progress() throws {
        defer { StoreFixture.remove(place) }
        let (path, _) = try single()
        var said: [String] = []
        #expect(try restored(progress: RestoreProgress(every: 0) { said.append($0) }).count == 3)
        for word in ["copying", "checking the database", "\(path): 0 of 0 MiB, until 20", "rebuilding the database"] {
            #expect(said.contains { $0.hasPrefix(word) }, "\(said)")
        }
        said = []
        #expect(try restored(progress: RestoreProgress(every: 60) { said.append($0) }).count == 3 && said == [])
    }
}

/// A way in which a file cannot be read.
enum RowLogAbsence: CaseIterable {
    case deleted, empty, directory, pipe, otherText

    func apply(to path: String) throws {
        switch self {
        case .deleted: break
        case .empty: try Data().write(to: URL(filePath: path))
        case .directory: #expect(mkdir(path, 0o700) == 0)
        case .pipe: #expect(mkfifo(path, 0o600) == 0)
        case .otherText: try Data("lectern-rows 1 8 -\n".utf8).write(to: URL(filePath: path))
        }
    }
}

/// A change to a file with three records, whose ends are known.
enum RowLogDamage: CaseIterable {
    case length, digest, rows, exchanged, leftOut, zeroed, cut, cutInNumbers, zeros, lastZeros

    /// A Boolean value indicating whether only the end of the last record is missing.
    var isEnd: Bool { [.cut, .cutInNumbers, .zeros, .lastZeros].contains(self) }

    /// The number of records before the change.
    var before: Int { self == .zeroed ? 1 : 0 }

    func apply(to bytes: Data, _ ends: [Int]) -> Data {
        var bytes = bytes
        let records = zip(ends, ends.dropFirst()).map { bytes[$0..<$1] }
        switch self {
        case .length: bytes[ends[0] + 9] ^= 64
        case .digest: bytes[ends[0] + 60] ^= 1
        case .rows: bytes[ends[0] + 200] ^= 1
        case .exchanged: bytes = bytes[..<ends[0]] + records[1] + records[0] + records[2]
        case .leftOut: bytes = bytes[..<ends[0]] + records[1] + records[2]
        case .zeroed: bytes.resetBytes(in: ends[1]..<(ends[1] + 64))
        case .cut: bytes = bytes.dropLast()
        case .cutInNumbers: bytes = bytes[..<(ends[2] + 5)]
        case .zeros: bytes = bytes[..<ends[2]] + Data(count: 4096)
        case .lastZeros: bytes = bytes.dropLast(100) + Data(count: 100)
        }
        return bytes
    }
}
