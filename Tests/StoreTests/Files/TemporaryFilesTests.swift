import CSQLite
import Foundation
import Glibc
import SharedByTests
import Testing

@testable import Store

@Suite("Temporary files of killed processes")
struct TemporaryFilesTests {
    private let directory = StoreFixture.newDirectory(on: .disk)
    private static let left = [
        "lectern-temporary-4711.part", "lectern-temporary-4711.part-journal",
        "lectern-temporary-aB3xYz", "restoring/lectern.sqlite", "restoring/lectern.sqlite-journal",
        "restoring/lectern.lock", "restoring/other",
    ]
    private static let others = ["export-2026.jsonl", "notes.part"]

    private func leave() throws {
        mkdir(directory + "/restoring", 0o700)
        for name in Self.left + Self.others { close(creat(directory + "/" + name, 0o600)) }
        try "words".write(toFile: directory + "/lectern-temporary-4711.part", atomically: false, encoding: .utf8)
    }

    private func names() throws -> Set<String> {
        Set(try FileManager.default.contentsOfDirectory(atPath: directory))
    }

    @Test("A start deletes temporary files, and no others")
    func start() throws {
        defer { StoreFixture.remove(directory) }
        try leave()
        let store = try Store.open(directory: directory, configuration: StoreFixture.durable)
        defer { store.close() }
        let there = try names()
        #expect(there.isSuperset(of: Self.others + ["lectern.sqlite"]))
        #expect(there.isDisjoint(with: Self.left + ["restoring"]), "\(there)")
    }

    @Test("A restore, a compaction and a copy delete them too, and do not fail because of them")
    func offline() throws {
        defer { StoreFixture.remove(directory) }
        let fixture = try StoreFixture(StoreFixture.durable)
        _ = try fixture.addBook()
        fixture.store.close()
        let file = directory + "/backup"
        _ = try Store.backUp(directory: fixture.directory, to: file)
        let target = directory
        try leave()
        _ = try BackupRestoration(file, into: target, keepsTokens: true).run()
        #expect(try names().isDisjoint(with: Self.left + ["restoring"]))
        try leave()
        _ = try Store.compact(directory: target)
        #expect(try names().isDisjoint(with: Self.left + ["restoring"]))
        try leave()
        let before = try names().subtracting(Self.left + ["restoring"])
        var passedOn: Int64 = 0
        let copied = try Store.backUp(directory: target) { bytes in
            passedOn += Int64(bytes.count)
            // A kill at this time leaves no copy.
            #expect(DataDirectory.names(in: target).allSatisfy { !$0.hasPrefix(DataDirectory.temporary) })
        }
        #expect(passedOn == copied.bytes)
        #expect(try names().subtracting(["lectern.sqlite-wal", "lectern.sqlite-shm"]) == before)
    }
}

@Suite("Partial files")
struct PartFileTests {
    private let folder = StoreFixture.newDirectory(on: .disk)
    private var name: String { folder + "/copy" }
    private var part: String { name + ".part" }

    private func write(_ text: String, _ path: String, mode: mode_t = 0o600) {
        let descriptor = creat(path, mode)
        _ = text.withCString { Glibc.write(descriptor, $0, strlen($0)) }
        close(descriptor)
    }

    private func read(_ path: String) -> String? {
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
    }

    private func make(_ text: String, replacing: Bool = false) throws {
        let file = try PartialFile(for: name)
        let bytes = Array(text.utf8)
        try file.write(bytes.span.bytes)
        #expect(access(name, F_OK) != 0 || read(name) != text)
        try file.finish(as: name, replacing: replacing)
    }

    @Test("Files that a killed process left are written again, and only the owner can read them")
    func left() throws {
        defer { StoreFixture.remove(folder) }
        write("old words", part)
        try make("new")
        var state = stat()
        #expect(read(name) == "new" && access(part, F_OK) != 0)
        #expect(stat(name, &state) == 0 && state.st_mode & 0o7777 == 0o600)
    }

    @Test("A link is not followed, and files that others may read or still write are not touched")
    func others() throws {
        defer { StoreFixture.remove(folder) }
        let other = folder + "/other"
        write("theirs", other, mode: 0o600)
        symlink(other, part)
        #expect(throws: StoreError.self) { try PartialFile(for: name) }
        #expect(read(other) == "theirs")
        unlink(part)
        write("open", part, mode: 0o644)
        chmod(part, 0o644)
        #expect(throws: StoreError.self) { try PartialFile(for: name) }
        #expect(read(part) == "open")
        unlink(part)
        let first = try PartialFile(for: name)
        #expect(throws: StoreError.self) { try PartialFile(for: name) }
        try first.finish(as: name, replacing: false)
        #expect(read(name) == "")
    }

    @Test(
        "An existing file is replaced only where requested, and an incomplete write leaves nothing")
    func names() throws {
        defer { StoreFixture.remove(folder) }
        var file: PartialFile? = try PartialFile(for: name)
        write("first", name)
        let error = #expect(throws: StoreError.self) { try file?.finish(as: name, replacing: false) }
        #expect(error?.description.contains("exists") == true && read(name) == "first")
        file = nil
        #expect(access(part, F_OK) != 0)
        try make("second", replacing: true)
        #expect(read(name) == "second")
    }
}
