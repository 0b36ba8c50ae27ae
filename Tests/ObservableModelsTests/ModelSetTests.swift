import JSON
import Model
import Testing

@testable import ObservableModels

/// Tests of which subscribers get which frame for a change, without a socket and without a database.
@Suite("A set of models")
struct ModelSetTests {
    /// A change, and the event that each listener gets, if any.
    struct Row: CustomTestStringConvertible, Sendable {
        let says: String
        let change: Change
        let gets: [String: String]
        var testDescription: String { says }
    }

    static let ada = viewer(1), ben = viewer(2)
    static let book = ResourceID(high: 0, low: 1), other = ResourceID(high: 0, low: 2)
    static let club = ChangeScope.club(key: 7)

    private static func viewer(_ key: Int64) -> Viewer {
        Viewer(
            reader: ResourceID(high: 9, low: UInt64(key)), readerKey: key, role: .reader, access: .read,
            token: ResourceID(high: 8, low: UInt64(key)), expiresAt: nil)
    }

    static func fields(_ names: [String], of kind: ResourceKind) -> FieldSet {
        FieldSet(names.map { $0[...] }, of: kind.fieldNames) ?? []
    }

    static func change(
        _ operation: ChangeOperation, _ kind: ResourceKind = .book, _ id: ResourceID = book,
        in scope: ChangeScope = .everyone,
        changed fields: String..., value: String = "{\"version\":5}", before: String = "{\"version\":4}"
    ) -> Change {
        Change(
            seq: 5, transaction: 5, at: Instant(milliseconds: 5), kind: kind, id: id, scope: scope,
            operation: operation, changed: Self.fields(fields, of: kind),
            value: operation == .deleted ? nil : Array(value.utf8),
            before: operation == .created ? nil : Array(before.utf8))
    }

    /// The listeners of every row, by name.
    static let listeners: [(name: String, subscription: @Sendable (UInt64) -> Subscription)] = [
        ("book", { listener($0, ada, .resource(.book, book)) }),
        ("book's title", { listener($0, ada, .resource(.book, book), fields: ["title"]) }),
        ("other book", { listener($0, ada, .resource(.book, other)) }),
        ("books", { listener($0, ben, .list(.book, .everyone), filter: .all) }),
        ("ada's readings", { listener($0, ada, .list(.reading, ada.scope), filter: .all) }),
        ("ada's reading", { listener($0, ada, .list(.reading, ada.scope), filter: reading) }),
        (
            "ada's debounced reading",
            { listener($0, ada, .list(.reading, ada.scope), form: .view, filter: reading) }
        ),
        ("ada's feed", { listener($0, ada, .feed(.everyone), .feed(ada.scope), .feed(club)) }),
        ("ben's feed", { listener($0, ben, .feed(.everyone), .feed(ben.scope), .feed(club)) }),
        ("club's notes", { listener($0, ada, .list(.note, club), filter: .all, club: 7) }),
        ("notes on a book", { listener($0, ben, .list(.note, club), filter: .having("book", book), club: 7) }),
        ("meeting", { listener($0, ada, .resource(.meeting, other), club: 7) }),
        ("ada's view", { listener($0, ada, .list(.note, club), .every(.reader), form: .view, club: 7) }),
    ]

    private static let reading = ListFilter.having("state", ReadingState.reading)

    private static func listener(
        _ owner: UInt64, _ viewer: Viewer, _ topics: WatchTopic..., form: SubscribedEventForm = .events,
        fields: [String]? = nil, filter: ListFilter? = nil, club: Int64? = nil
    ) -> Subscription {
        Subscription(
            owner: owner, viewer: viewer, form: form, topics: topics, group: club,
            fields: fields.map { Self.fields($0, of: .book) }, filter: filter, cursor: 4)
    }

    static let rows: [Row] = [
        Row(
            says: "A book is made", change: change(.created),
            gets: [
                "book": "created", "book's title": "created", "books": "enter", "ada's feed": "created",
                "ben's feed": "created",
            ]),
        Row(
            says: "A book gets another title", change: change(.updated, changed: "title"),
            gets: [
                "book": "updated", "book's title": "updated", "books": "updated", "ada's feed": "updated",
                "ben's feed": "updated",
            ]),
        Row(
            says: "A book gets another language", change: change(.updated, changed: "language"),
            gets: ["book": "updated", "books": "updated", "ada's feed": "updated", "ben's feed": "updated"]),
        Row(
            says: "A book goes", change: change(.deleted),
            gets: [
                "book": "deleted", "book's title": "deleted", "books": "leave", "ada's feed": "deleted",
                "ben's feed": "deleted",
            ]),
        Row(
            says: "Ada finishes a reading",
            change: change(
                .updated, .reading, in: ada.scope, changed: "state", value: "{\"version\":5,\"state\":\"finished\"}",
                before: "{\"version\":4,\"state\":\"reading\"}"),
            gets: [
                "ada's readings": "updated", "ada's reading": "leave", "ada's debounced reading": "(anew)",
                "ada's feed": "updated",
            ]),
        Row(
            says: "A reading that a filter does not let through is none of who debounces what it does",
            change: change(
                .updated, .reading, in: ada.scope, changed: "progress",
                value: "{\"version\":5,\"state\":\"finished\",\"progress\":1}",
                before: "{\"version\":4,\"progress\":0.9}"),
            gets: ["ada's readings": "updated", "ada's feed": "updated"]),
        Row(
            says: "Ben's reading is nobody else's", change: change(.created, .reading, in: ben.scope),
            gets: ["ben's feed": "created"]),
        Row(
            says: "A note on a book, which Ben may not be told of yet",
            change: change(.created, .note, other, in: club, value: "{\"version\":5,\"book\":\"\(book)\"}"),
            gets: ["ada's feed": "created", "club's notes": "enter", "ada's view": "(anew)"]),
        Row(
            says: "A meeting is cancelled, and who shows it ends", change: change(.deleted, .meeting, other, in: club),
            gets: ["ada's feed": "deleted", "ben's feed": "deleted", "meeting": "deleted (end)"]),
        Row(
            says: "A reader is renamed: a view of all readers is made anew",
            change: change(.updated, .reader, other, in: .reader(key: 3), changed: "name"),
            gets: ["ada's view": "(anew)"]),
        Row(
            says: "A token is revoked: only the caller ends its streams",
            change: change(.deleted, .token, viewer(2).token!, in: ben.scope), gets: ["ben's feed": "deleted"]),
        Row(
            says: "Ben is taken out of the club",
            change: change(
                .deleted, .member, other, in: club,
                before: "{\"version\":4,\"reader\":\"\(ben.reader)\",\"role\":\"member\"}"),
            gets: ["ada's feed": "deleted", "ben's feed": "deleted", "notes on a book": "leave (end)"]),
    ]

    @Test("A change gives each subscription its events", arguments: ModelSetTests.rows)
    func published(_ row: Row) {
        let loop = Loop(head: 4)
        loop.recipients = { $1.subtracting([Self.ben.readerKey]) }
        loop.visibilityChanges = { _ in [] }
        for (index, listener) in Self.listeners.enumerated() {
            let subscription = listener.subscription(UInt64(index))
            loop.models.subscribe(subscription)
            #expect(!loop.models.wake(subscription))
        }
        loop.publish([row.change])
        for (index, listener) in Self.listeners.enumerated() {
            let owner = UInt64(index)
            var words = loop.events[owner] ?? []
            if loop.owing.contains(owner) { words.append("(anew)") }
            if loop.ended.contains(owner) { words.append("(end)") }
            #expect(words.joined(separator: " ") == row.gets[listener.name] ?? "", "\(listener.name)")
        }
    }

    @Test("A model exists from its first subscription to its last")
    func lifetime() throws {
        let loop = Loop()
        let models = loop.models
        let topic = WatchTopic.resource(.book, Self.book)
        let all = (0..<3).map { Self.listener($0, Self.ada, topic) }
        for subscription in all { models.subscribe(subscription) }
        let model = try #require(models.models[topic])
        for subscription in all {
            #expect(models.models[topic] === model)
            models.cancel(subscription)
        }
        #expect(models.models.isEmpty)
    }

    @Test("A filtered list is one model that observes the list, for all its subscriptions")
    func filtered() throws {
        let loop = Loop()
        let models = loop.models
        let scope = Self.ada.scope
        let reading = ListFilter.having("state", ReadingState.reading)
        let all = (0..<4).map {
            Self.listener($0, Self.ada, .list(.card, scope), filter: $0 < 2 ? reading : .all)
        }
        for subscription in all { models.subscribe(subscription) }
        #expect(
            Set(models.models.keys) == [
                .filtered(.card, scope, reading), .filtered(.card, scope, .all), .list(.card, scope),
                .list(.reading, scope), .list(.book, .everyone),
            ])
        #expect(models.models[.filtered(.card, scope, reading)]?.holders == 2)
        for subscription in all { models.cancel(subscription) }
        #expect(models.models.isEmpty)
    }

    @Test("A published change names the fields that differ")
    func differing() {
        func differing(_ change: Change) -> FieldSet { PublishedChange(change, epoch: Loop().models.epoch).differing }
        let all = FieldSet(rawValue: .max)
        #expect(differing(Self.change(.updated, changed: "title")) == Self.fields(["title"], of: .book))
        #expect(differing(Self.change(.created)) == all && differing(Self.change(.deleted)) == all)
    }

    private static func feedTopics(_ club: Int64, _ viewer: Viewer, _ moderates: Bool) -> [WatchTopic] {
        [
            .feed(.club(key: club)), .feed(.club(key: club, only: viewer.readerKey)),
            .feed(moderates ? .moderators(ofClub: club) : .plainMembers(ofClub: club)),
        ]
    }

    @Test("A feed follows its reader into a club and out of it")
    func following() {
        let loop = Loop()
        let feed = Subscription(
            owner: 1, viewer: Self.ada, topics: [.feed(Self.ada.scope)], inEachGroup: Self.feedTopics, fields: nil,
            filter: nil, cursor: 4)
        loop.models.subscribe(feed)
        loop.models.begin(at: 4)
        #expect(!loop.models.wake(feed))
        let member = "{\"version\":4,\"reader\":\"\(Self.ada.reader)\",\"role\":\"owner\"}"
        for operation: ChangeOperation in [.created, .updated, .deleted] {
            loop.publish([Self.change(operation, .member, Self.other, in: Self.club, value: member, before: member)])
            #expect(feed.topics.contains(.feed(.moderators(ofClub: 7))) == (operation != .deleted))
            #expect(loop.models.models.count == feed.topics.count)
        }
    }
}
