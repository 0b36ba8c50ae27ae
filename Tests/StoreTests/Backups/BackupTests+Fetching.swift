import CSQLite
import Foundation
import Glibc
import Model
import SharedByTests
import Synchronization
import Testing

@testable import Store

extension BackupTests {
    /// Fetches a backup piece by piece.
    private func fetch(_ backup: Backup, _ shop: StoreFixture, _ take: ([UInt8]) throws -> Void) throws {
        var number = 0
        while true {
            var bytes: [UInt8]?
            let isCopied = try eventually {
                switch try #require(shop.store.backups.piece(number, of: backup.id), "piece \(number) is gone") {
                case .notYet: return false
                case .bytes(let piece): bytes = piece
                case .end: break
                }
                return true
            }
            try #require(isCopied)
            guard let bytes else { return }
            try take(bytes)
            number += 1
        }
    }

    @Test(
        "A backup fetched beside many writers is the log up to its change, without findings, and uses no space on the data disk"
    )
    func fetchedOnline() throws {
        let shop = try shop(bytes: 4 << 20)
        let viewer = try shop.administrator
        let isEnough = Atomic(false)
        let written = Atomic(0)
        let done = DispatchGroup()
        for writer in 0..<8 {
            done.enter()
            Thread {
                defer { done.leave() }
                while !isEnough.load(ordering: .relaxed) {
                    let body = "{\"title\": \"\(writer) \(String(repeating: "y", count: 450))\"}"
                    guard let book = try? Command.createBook(.whole(body)).by(viewer) else { return }
                    if case .success = shop.submit(book).wait() { written.wrappingAdd(1, ordering: .relaxed) }
                }
            }.start()
        }
        #expect(eventually { written.load(ordering: .relaxed) > 100 })
        let before = try shop.reads().head()
        let place = StoreFixture.newDirectory()
        defer { StoreFixture.remove(place) }
        let backup = try #require(shop.store.backups.ask(.fetched))
        let received = try ReceivedBackup(place + "/copy")
        let names = Mutex<Set<String>>([])
        try fetch(backup, shop) { bytes in
            try received.take(bytes)
            let there = try FileManager.default.contentsOfDirectory(atPath: shop.directory)
            names.withLock { $0.formUnion(there) }
        }
        let copied = try received.finish()
        isEnough.store(true, ordering: .relaxed)
        done.wait()
        let end = try #require(shop.store.backups.find(backup.id))
        #expect(end.state == .done && end.seq == copied.seq && copied.seq >= before)
        #expect(
            try Self.log(place + "/copy", upTo: .max) == Self.log(shop.directory + "/lectern.sqlite", upTo: copied.seq))
        #expect(try Self.rows(place + "/copy", "PRAGMA integrity_check") == ["ok"])
        #expect(
            names.withLock { $0 }.isSubset(of: [
                "lectern.sqlite", "lectern.sqlite-wal", "lectern.sqlite-shm", "lectern.lock", "ballast",
            ]))
        #expect(shop.store.backups.lastGood == nil)
    }

    @Test("A fetched backup pauses for a slow client, repeats its last piece, and ends when cancelled")
    func fetched() throws {
        let shop = try shop(bytes: 16 << 20)
        let backup = try #require(shop.store.backups.ask(.fetched))
        func isPaused() -> Bool {
            (shop.store.backups.find(backup.id)?.bytes ?? 0) >= Int64(PageRecordStream.pauseBytes)
        }
        #expect(eventually { isPaused() })
        guard case .bytes(let first)? = shop.store.backups.piece(0, of: backup.id) else { return #expect(Bool(false)) }
        #expect(first.count == Backup.pieceBytesMax && first.starts(with: PageRecordFormat.magic))
        guard case .bytes(first)? = shop.store.backups.piece(0, of: backup.id) else { return #expect(Bool(false)) }
        guard case .notYet? = shop.store.backups.piece(2, of: backup.id) else { return #expect(Bool(false)) }
        #expect(shop.store.backups.find(backup.id)?.state == .copying)
        #expect(shop.store.backups.piece(0, of: "20260101T000000000Z") == nil)
        let others = (1..<BackupSettings.fetchedMax).map { _ in shop.store.backups.ask(.fetched) }
        #expect(!others.contains { $0 == nil } && shop.store.backups.ask(.fetched) == nil)
        #expect(shop.store.backups.discard(backup.id) && shop.store.backups.find(backup.id) == nil)
        #expect(shop.store.backups.piece(1, of: backup.id) == nil && shop.store.backups.ask(.fetched) != nil)
        let kept = try wait(for: shop.store.backups.ask(.kept), shop)
        #expect(kept.state == .done && !shop.store.backups.discard(kept.id))
        var bytes: [UInt8] = []
        try fetch(kept, shop) { bytes += $0 }
        #expect(bytes == FileManager.default.contents(atPath: Self.path(kept, shop)).map { Array($0) })
    }

    @Test("A client that fetches more slowly than the database changes gets an error, and the writer continues")
    func slow() throws {
        let shop = try shop(bytes: 1000)
        let stream = PageRecordStream()
        stream.begin(pageSize: 4096)
        let page = [UInt8](repeating: 7, count: 4096)
        var code: Int32 = 0
        for number in 0..<20_000 where code == 0 {
            code = page.withUnsafeBytes { stream.write($0, at: Int64(number % 9) * 4096) }
        }
        #expect(code == SQLITE_FULL && stream.byteCount < Int64(PageRecordStream.bytesMax) + 8192)
        _ = try shop.addBook()
    }
}
