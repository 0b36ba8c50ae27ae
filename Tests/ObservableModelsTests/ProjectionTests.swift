import JSON
import Model
import Testing

@testable import ObservableModels

@Suite("Projections")
struct ProjectionTests {
    /// A book and its readings in memory.
    private struct Shelf: Parts {
        var book: Book?
        var readings: [Reading] = []

        func book(_ id: ResourceID, asOf seq: Int64) -> Book? { book.flatMap { $0.id == id ? $0 : nil } }
        func reading(_ reading: Reading, asOf seq: Int64) -> Reading? { reading }
        func readings(ofBook id: ResourceID, since seq: Int64, of reader: Int64?) -> [Reading] {
            readings.filter { $0.book == id && (reader == nil || $0.readerKey == reader) }
        }
    }

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

    private func watch(_ loop: Loop, _ owner: UInt64, _ topic: Topic, reader: Int64) -> Subscription {
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

    private func loop(_ shelf: Shelf) -> Loop {
        let loop = Loop(head: 4)
        loop.answer = { need in
            guard case .wholes(let projection, let asked) = need.question else { return .failure(.notFound) }
            do throws(LecternError) {
                return .success(.changes(try projection.changes(need.change, asked, shelf)))
            } catch {
                return .failure(error)
            }
        }
        return loop
    }

    @Test("A book's new title is a change of the cards that are watched, of each with what it was and is")
    func title() throws {
        var renamed = book
        renamed.title = "One Hundred Years"
        let loop = loop(Shelf(book: renamed, readings: [1, 2, 3].map(reading)))
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

    @Test("What the card does not show of its book is no change of it, and nothing is asked")
    func language() throws {
        var translated = book
        translated.language = "en"
        let loop = loop(Shelf(book: translated, readings: [reading(of: 1)]))
        _ = watch(loop, 1, .list(.card, .reader(key: 1)), reader: 1)
        loop.publish([try change(of: translated, from: book)])
        #expect(loop.events.isEmpty && loop.asked.isEmpty)
    }

    @Test(
        "A reading that begins, moves and ends is a card that comes, changes and goes; who listens to no card costs nothing"
    )
    func reading() throws {
        let (old, scope) = (reading(of: 1), Scope.reader(key: 1))
        var new = old
        new.progress = .whole
        let difference = try #require(new.difference(from: old))
        let changes: [(ChangeOperation, FieldSet, [UInt8]?, [UInt8]?)] = [
            (.created, [], old.encoded(), nil), (.updated, difference.changed, difference.value, difference.before),
            (.deleted, [], nil, new.encoded()),
        ]
        for isWatched in [true, false] {
            let loop = loop(Shelf(book: book))
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

    @Test("Another projection is one declaration: it is told when its parts change, live and from the log")
    func declared() throws {
        // A reader's calendar, let us say, that shows their name, and the clubs that they are in.
        let scope = Scope.reader(key: 1)
        let name = ModelRoomTests.fields(["name"], of: .reader)
        let calendar = Projection(
            of: Calendar.self, parts: [Projection.Part(.reader, fields: name), Projection.Part(.membership)]
        ) { cause, asked, _ throws(LecternError) -> [Pair<Calendar>] in
            guard asked.wants(.calendar, cause.id, scope) else { return [] }
            let after = Calendar(id: cause.id, club: cause.id, member: (1, 1), createdAt: cause.at)
            return [Pair(scope: scope, before: nil, after: after)]
        }
        let loop = Loop(head: 4, projections: [calendar])
        loop.answer = { need in
            guard case .wholes(let projection, let asked) = need.question else { return .failure(.notFound) }
            do throws(LecternError) {
                return .success(.changes(try projection.changes(need.change, asked, Shelf())))
            } catch {
                return .failure(error)
            }
        }
        let subscription = watch(loop, 1, .list(.calendar, scope), reader: 1)
        let changes = [
            ModelRoomTests.change(.updated, .reader, in: scope, changed: "name"),
            ModelRoomTests.change(.updated, .reader, in: scope, changed: "role"),
            ModelRoomTests.change(.created, .membership, in: scope), ModelRoomTests.change(.created, .book),
        ]
        for change in changes { loop.publish([change]) }
        #expect(loop.asked.map { $0.change.kind } == [ResourceKind.reader, .membership])
        #expect(loop.events[1]?.count == 2)
        #expect(loop.models.needs(of: changes, for: subscription).count == 2)
    }
}
