import Foundation
import Glibc
import Model
import SharedByTests
import Testing

@testable import Store

@Suite("Damaged backups", .ownThreads)
struct BackupDigestTests {
    private let place = StoreFixture.newDirectory()
    private var file: String { place + "/copy" }
    private var target: String { place + "/data" }

    /// Returns a backup of a store with some of everything.
    private func backUp() throws -> [UInt8] {
        let fixture = try StoreFixture()
        for name in ["Ada", "Ben", "Cleo"] { _ = try fixture.addReader(name) }
        for number in 0..<40 {
            _ = try fixture.addBook(#"{"title": "\#(number) \#(String(repeating: "z", count: 300))"}"#)
        }
        fixture.store.close()
        _ = try Store.backUp(directory: fixture.directory, to: file)
        return Array(try #require(FileManager.default.contents(atPath: file)))
    }

    /// Returns why these bytes are refused, or `nil` if they are restored.
    private func refusal(of bytes: [UInt8]) throws -> String? {
        try? FileManager.default.removeItem(atPath: target)
        try Data(bytes).write(to: URL(filePath: file))
        do { _ = try BackupRestoration(file, into: target, keepsTokens: true).run() } catch {
            #expect(access(target, F_OK) != 0, "a refused restore leaves a directory")
            return "\(error)"
        }
        return nil
    }

    private func flipped(_ bytes: [UInt8], _ place: Int, _ random: inout SeededGenerator) -> [UInt8] {
        var bytes = bytes
        bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
        return bytes
    }

    @Test("Every flipped bit, missing byte, missing digest and added page is refused")
    func damaged() throws {
        defer { StoreFixture.remove(place) }
        let whole = try backUp()
        #expect(try refusal(of: whole) == nil && Store.check(directory: target) == [])
        var random = SeededGenerator(seed: 21)
        let inDigest = (0..<10).map { whole.count - 1 - $0 * 8 }
        let anywhere = (0..<TestBudget.of(20, long: 50)).map { _ in Int.random(in: whole.indices, using: &random) }
        for place in anywhere + inDigest {
            let why = try refusal(of: flipped(whole, place, &random))
            #expect(why != nil, "a bit of byte \(place) was flipped")
        }
        for cut in [1, 80, 81, 4096] { #expect(try refusal(of: whole.dropLast(cut)) != nil, "\(cut)") }
        #expect(try refusal(of: whole + [UInt8](repeating: 0, count: 4096)) != nil)
        #expect(try refusal(of: whole) == nil)
    }
}
