import JSON
import Model
import Testing

@testable import ObservableModels

@Suite("Cards")
struct CardTests {
    private let book = Book(id: ResourceID(high: 0, low: 1), title: "Solitude", createdAt: Instant(milliseconds: 1))

    private func reading(of reader: Int64) -> Reading {
        Reading(
            id: ResourceID(high: 1, low: UInt64(reader)), reader: (ResourceID(high: 9, low: UInt64(reader)), reader),
            book: (book.id, 1), number: 1, createdAt: Instant(milliseconds: 1))
    }

    private func change(of book: Book, from old: Book) throws -> Change {
        let difference = try #require(book.difference(from: old))
        return Change(
            seq: 5, transaction: 5, at: Instant(milliseconds: 5), kind: .book, id: book.id, scope: .everyone,
            operation: .updated, changed: difference.changed, value: difference.value, before: difference.before)
    }

    private func watch(_ loop: Loop, _ owner: UInt64, _ topic: WatchTopic, reader: Int64) -> Subscription {
        let viewer = Viewer(
            reader: ResourceID(high: 9, low: UInt64(reader)), readerKey: reader, role: .reader, access: .read,
            token: nil, expiresAt: nil)
        let subscription = Subscription(
            owner: owner, viewer: viewer, topics: [topic], fields: nil, filter: nil, cursor: 4)
        loop.models.subscribe(subscription)
        loop.models.begin(at: 4)
        #expect(!loop.models.wake(subscription))
        return subscription
    }

    /// Returns a loop that finds the cards of readings of the book, with the book before and after a change.
    private func loop(_ readings: [Reading], before: Book, after: Book) -> Loop {
        let loop = Loop(head: 4)
        loop.composed = { cause, watched in
            func card(_ value: ResourceRepresentation?) -> BookCard? {
                value.flatMap { Reading($0) }.map { BookCard(reading: $0, book: after) }
            }
            if cause.kind == .reading {
                let change = BookCard.change(
                    by: cause, in: cause.scope, before: card(cause.representationBefore),
                    after: card(cause.representation))
                return change.map { [$0] } ?? []
            }
            return readings.filter { watched.contains(.card, $0.id, .reader(key: $0.readerKey)) }.compactMap {
                BookCard.change(
                    by: cause, in: .reader(key: $0.readerKey), before: BookCard(reading: $0, book: before),
                    after: BookCard(reading: $0, book: after))
            }
        }
        return loop
    }

    @Test("A book's new title changes the watched cards, each with its old and new representation")
    func title() throws {
        var renamed = book
        renamed.title = "One Hundred Years"
        let loop = loop([1, 2, 3].map(reading), before: book, after: renamed)
        let all = [
            watch(loop, 1, .list(.card, .reader(key: 1)), reader: 1),
            watch(loop, 2, .resource(.card, reading(of: 2).id), reader: 2),
            watch(loop, 3, .feed(.reader(key: 3)), reader: 3),
            watch(loop, 4, .list(.reading, .reader(key: 1)), reader: 1),
        ]
        loop.publish([try change(of: renamed, from: book)])
        #expect(loop.events == [1: ["updated"], 2: ["updated"]] && loop.asked.count == 1)
        for subscription in all { loop.models.cancel(subscription) }
        #expect(loop.models.models.isEmpty)
        loop.publish([try change(of: renamed, from: book)])
        #expect(loop.asked.count == 1)
    }

    @Test("A change of a book that its cards do not show is no change of them, and needs no look-up")
    func language() throws {
        var translated = book
        translated.language = "en"
        let loop = loop([reading(of: 1)], before: book, after: translated)
        _ = watch(loop, 1, .list(.card, .reader(key: 1)), reader: 1)
        loop.publish([try change(of: translated, from: book)])
        #expect(loop.events.isEmpty && loop.asked.isEmpty)
    }

    @Test(
        "A reading's changes are changes of its card; without subscribers of cards they cost nothing"
    )
    func reading() throws {
        let (old, scope) = (reading(of: 1), ChangeScope.reader(key: 1))
        var new = old
        new.progress = .whole
        let difference = try #require(new.difference(from: old))
        let changes: [(ChangeOperation, FieldSet, [UInt8]?, [UInt8]?)] = [
            (.created, [], old.encoded(), nil), (.updated, difference.changed, difference.value, difference.before),
            (.deleted, [], nil, new.encoded()),
        ]
        for isWatched in [true, false] {
            let loop = loop([], before: book, after: book)
            _ = watch(loop, 1, isWatched ? .list(.card, scope) : .list(.card, .reader(key: 2)), reader: 1)
            for (index, (operation, changed, value, before)) in changes.enumerated() {
                let seq = Int64(5 + index)
                loop.publish([
                    Change(
                        seq: seq, transaction: seq, at: Instant(milliseconds: seq), kind: .reading, id: old.id,
                        scope: scope, operation: operation, changed: changed, value: value, before: before)
                ])
            }
            #expect(loop.events[1] == (isWatched ? ["created", "updated", "deleted"] : nil))
            #expect(loop.asked.count == (isWatched ? 3 : 0))
        }
    }
}
