import CSQLite
import Foundation
import Model
import SharedByTests
import Synchronization
import Testing

@testable import Store

@Suite("Copies beside writers", .ownThreads)
struct CopyWhileWritingTests {
    /// A command whose decision the database refuses.
    private static let refused = Command { _, _ in
        CommandDecision([
            NonResourceInsertion(insertion: SQL("INSERT INTO meta (name, value) VALUES ('epoch', 1)"), cells: [])
        ])
    }

    @Test(
        "A command that the database refuses fails alone: others in its group are written once, and the backup continues"
    )
    func refusal() throws {
        let shop = try StoreFixture(StoreFixture.durable)
        let viewer = try shop.administrator
        let text = String(repeating: "x", count: 450)
        for number in 0..<300 { _ = try shop.addBook(#"{"title": "\#(number) \#(text)"}"#) }
        let file = try DatabaseCopyFile.make(shop.directory + "/copy", bytes: 0, spare: 0)
        let order = DatabaseCopyRequest(.file(file.path))
        let holding = Holding()
        let held = shop.submit(holding.wish)
        holding.waitUntilHeld()
        shop.store.backups.orders.give(order)
        let times = Atomic(0)
        let title = #"{"title": "Kindred"}"#
        let book = try Command.createBook(.whole(title))
        let counted = Command { state, actor throws(LecternError) in
            times.wrappingAdd(1, ordering: .relaxed)
            return try book.decide(state, actor)
        }
        let refusals = Atomic(0)
        let lines = Batch([.success((command: Self.refused, actor: CommandActor(viewer)))], isAtomic: false) {
            answers in
            for case .failure in answers { refusals.wrappingAdd(1, ordering: .relaxed) }
            return []
        }
        // The two commands are committed together, after the first pages were copied.
        let both = [shop.submit(counted.by(viewer)), shop.submit(Command(lines).by(viewer))]
        holding.letGo()
        _ = held.wait()
        for each in both { _ = try each.wait().get() }
        #expect(times.load(ordering: .relaxed) == 1 && refusals.load(ordering: .relaxed) == 1)
        try order.wait()
        try file.seal()
        #expect(try file.verify().seq == shop.reads().head())
    }

    @Test("A copy leaves the database its reserve of disk space, where both are on one disk")
    func scenario() throws {
        let shop = try StoreFixture(
            { () -> StoreConfiguration in
                var configuration = StoreFixture.durable
                configuration.diskBytesFreeMin = .max / 2
                return configuration
            }())
        let backup = try #require(shop.store.backups.ask(.kept))
        #expect(eventually { shop.store.backups.find(backup.id)?.isOver ?? true })
        #expect(shop.store.backups.find(backup.id)?.reason?.contains("must stay free") == true)
        #expect(StoreConfiguration().diskBytesSpared == 136 << 20)
    }
}
