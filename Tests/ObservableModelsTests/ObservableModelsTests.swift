import Model
import ObservableModels
import Testing

@Suite("Observable models")
struct ObservableModelsTests {
    /// What a subscriber was given, and what its socket says to it.
    private final class Sockets {
        var frames: [UInt64: [String]] = [:]
        var says: [UInt64: ObservableModels.Delivery] = [:]
    }

    private let viewer = Viewer(
        reader: ResourceID(high: 1, low: 1), readerKey: 1, role: .reader, access: .read,
        token: ResourceID(high: 0, low: 9), expiresAt: nil)

    private func make() -> (ObservableModels, Sockets) {
        let models = ObservableModels(epoch: Epoch(1), head: 0, cacheBytesMax: 100_000)
        let sockets = Sockets()
        models.deliver = { subscription, frames, _ in
            sockets.frames[subscription.owner, default: []] += frames.map {
                String(decoding: $0.prefix { $0 != 10 }, as: UTF8.self)
            }
            return sockets.says[subscription.owner] ?? .taken
        }
        return (models, sockets)
    }

    private func change(
        _ seq: Int64, scope: Scope = .everyone, kind: ResourceKind = .book, id: UInt64 = 1, bytes: Int = 0,
        _ operation: ChangeOperation = .updated
    ) -> Change {
        Change(
            seq: seq, transaction: seq, at: Instant(milliseconds: seq), kind: kind, id: ResourceID(high: 0, low: id),
            scope: scope, operation: operation, changed: FieldSet(index: 0),
            value: Array("{\"version\":\(seq),\"title\":\"\(String(repeating: "x", count: bytes))\"}".utf8),
            before: Array("{}".utf8))
    }

    @discardableResult
    private func subscribe(
        _ models: ObservableModels, _ owner: UInt64, _ topic: Topic, cursor: Int64, reader: Int64 = 1
    ) -> Subscription {
        let viewer = Viewer(
            reader: viewer.reader, readerKey: reader, role: .reader, access: .read, token: viewer.token, expiresAt: nil)
        let subscription = Subscription(
            owner: owner, viewer: viewer, topics: [topic], fields: nil, filter: nil, cursor: cursor)
        models.subscribe(subscription)
        models.begin(at: cursor)
        #expect(!models.wake(subscription))
        return subscription
    }

    /// Gives a page of the log; whether another one is wanted now.
    private func replay(_ models: ObservableModels, _ subscription: Subscription, _ page: [Change]) throws -> Bool {
        let through = page.last?.seq ?? models.head
        return models.replay(subscription, try models.page(page, for: subscription), through: through)
    }

    @Test("A live subscription is given what comes after its cursor, and nothing of others")
    func live() {
        let (models, sockets) = make()
        _ = subscribe(models, 1, .feed(.everyone), cursor: 2)
        models.publish([
            Commit(changes: [change(1), change(2), change(3)]),
            Commit(changes: [change(4, scope: .reader(key: 2)), change(5)]),
        ])
        #expect(sockets.frames[1] == ["id: 00000001-3", "id: 00000001-5"])
    }

    @Test("Who does not take all is parked, misses nothing, and is live again after a replay")
    func parked() throws {
        let (models, sockets) = make()
        let subscription = subscribe(models, 1, .feed(.everyone), cursor: 0)
        sockets.says[1] = .kept
        models.publish([Commit(changes: [change(1)])])
        models.publish([Commit(changes: [change(2)]), Commit(changes: [change(3)])])
        #expect(sockets.frames[1] == ["id: 00000001-1"] && subscription.cursor == 1 && models.counters.parked == 1)
        sockets.says[1] = .taken
        #expect(models.wake(subscription))
        #expect(try replay(models, subscription, [change(2)]))
        models.publish([Commit(changes: [change(4)])])
        #expect(try !replay(models, subscription, [change(3), change(4)]))
        models.publish([Commit(changes: [change(5)])])
        #expect(sockets.frames[1] == (1...5).map { "id: 00000001-\($0)" } && models.counters.parked == 0)
    }

    @Test("Of a commit with too much for one go the rest is replayed, although the socket takes all")
    func tooMuch() throws {
        let (models, sockets) = make()
        var resumed: [UInt64] = []
        models.resume = { resumed.append($0.owner) }
        let subscription = subscribe(models, 1, .feed(.everyone), cursor: 0)
        let big = (1...5).map { change($0, bytes: 400_000) }
        models.publish([Commit(changes: big)])
        #expect(sockets.frames[1] == ["id: 00000001-1", "id: 00000001-2", "id: 00000001-3"])
        #expect(resumed == [1] && subscription.cursor == 3 && models.counters.parked == 1)
        models.publish([Commit(changes: [change(6)])])
        #expect(models.wake(subscription))
        #expect(try !replay(models, subscription, Array(big[3...]) + [change(6)]))
        models.publish([Commit(changes: [change(7)])])
        #expect(sockets.frames[1] == (1...7).map { "id: 00000001-\($0)" } && models.counters.parked == 0)
    }

    @Test("Who has been told parts of a change that the models hear of later gets the rest of it from the log")
    func parts() {
        let (models, sockets) = make()
        var resumed: [UInt64] = []
        models.resume = { resumed.append($0.owner) }
        let subscription = Subscription(
            owner: 1, viewer: viewer, topics: [.feed(.everyone)], fields: nil, filter: nil, cursor: 2, parts: 1)
        models.begin(at: 2)
        models.subscribe(subscription)
        #expect(!models.wake(subscription) && subscription.state == .live)
        models.publish([Commit(changes: [change(3), change(3, id: 2), change(4)])])
        #expect(sockets.frames[1] == nil && resumed == [1])
        #expect(subscription.state == .parked && subscription.cursor == 2 && subscription.parts == 1)
    }

    /// What has to be read for a change, and a change that needs it.
    enum Question: CaseIterable {
        case told
        case expand
        case derive
    }

    @Test("What could not be read is no \"no\": it is told in its place, once it can be", arguments: Question.allCases)
    func faults(_ question: Question) throws {
        let (models, sockets) = make()
        var failures = 0
        func read() throws(LecternError) {
            failures -= 1
            if failures >= 0 { throw .internalError("") }
        }
        models.told = { _, members throws(LecternError) in
            try read()
            return members
        }
        models.expand = { change throws(LecternError) in
            try read()
            return [change]
        }
        models.derive = { change, _ throws(LecternError) in
            try read()
            return [self.change(change.seq, scope: change.scope, kind: .card)]
        }
        var reports = 0
        models.report = { _ in reports += 1 }
        var resumed = 0
        models.resume = { _ in resumed += 1 }
        let club = Scope.club(key: 7)
        let topic: Topic
        let make: (Int64) -> Change
        switch question {
        case .told: (topic, make) = (.feed(club), { self.change($0, scope: club, kind: .note) })
        case .expand:
            let own = Scope.club(key: 7, only: 1)
            (topic, make) = (.feed(own), { self.change($0, scope: own, kind: .note, .unlocked) })
        case .derive:
            (topic, make) = (.list(.card, viewer.scope), { self.change($0, scope: self.viewer.scope, kind: .reading) })
        }
        let subscription = subscribe(models, 1, topic, cursor: 0)
        models.publish([Commit(changes: [make(1)])])
        failures = question == .derive ? 4 : 1
        models.publish([Commit(changes: [make(2), make(3)])])
        models.publish([Commit(changes: [make(4)])])
        #expect(sockets.frames[1] == ["id: 00000001-1"] && subscription.cursor == 1)
        #expect(reports >= 1 && resumed == 1 && models.counters.parked == 1)
        #expect(models.wake(subscription))
        let rest = [2, 3, 4].map(make)
        if question == .derive {
            // Again, from the log: nothing of the page is given, and it is where it was.
            #expect(throws: LecternError.internalError("")) { try replay(models, subscription, rest) }
            #expect(subscription.cursor == 1 && subscription.state == .replaying)
        }
        #expect(try !replay(models, subscription, rest))
        models.publish([Commit(changes: [make(5)])])
        #expect(sockets.frames[1] == (1...5).map { "id: 00000001-\($0)" } && models.counters.parked == 0)
    }

    @Test("Who may be told of a club's note is asked once a change, however many listen in however many ways")
    func asked() {
        let (models, sockets) = make()
        var questions: [Set<Int64>] = []
        models.told = { _, members in
            questions.append(members)
            return members.filter { $0 % 2 == 0 }
        }
        let club = Scope.club(key: 7)
        let note = change(1, scope: club, kind: .note)
        for owner: UInt64 in 0..<300 {
            let topics: [Topic] = [.feed(club), .list(.note, club), .resource(.note, note.id)]
            subscribe(models, owner, topics[Int(owner) % 3], cursor: 0, reader: Int64(owner / 30))
        }
        models.publish([Commit(changes: [note])])
        #expect(questions == [Set(0..<10)])
        #expect(Set(sockets.frames.keys) == Set((0..<300).filter { $0 / 30 % 2 == 0 }))
        // Nobody is asked about what everybody in the club may see, nor when nobody listens.
        models.publish([Commit(changes: [change(2, scope: club), change(3, scope: .club(key: 8), kind: .note, id: 2)])])
        #expect(questions.count == 1)
    }

    @Test("A replay ends where the models have heard the log end, and what comes after is told as it comes")
    func ahead() throws {
        let (models, sockets) = make()
        models.publish([Commit(changes: [change(1), change(2)])])
        let subscription = Subscription(
            owner: 1, viewer: viewer, topics: [.feed(.everyone)], fields: nil, filter: nil, cursor: 0)
        models.subscribe(subscription)
        #expect(models.wake(subscription))
        // The log has four changes already.
        let page = try models.page((1...4).map { change($0) }, for: subscription)
        #expect(!models.replay(subscription, page, through: 4))
        #expect(sockets.frames[1] == ["id: 00000001-1", "id: 00000001-2"] && subscription.cursor == 2)
        models.publish([Commit(changes: [change(3), change(4)])])
        #expect(sockets.frames[1] == (1...4).map { "id: 00000001-\($0)" })
    }

    @Test("A watcher of parts is told of the end of their whole, live or from the log, and of nothing more")
    func whole() throws {
        for isLive in [true, false] {
            let (models, sockets) = make()
            var ended = 0
            models.end = { _ in ended += 1 }
            let whole = Topic.resource(.meeting, ResourceID(high: 0, low: 1))
            let subscription = Subscription(
                owner: 1, viewer: viewer, topics: [.list(.book, .everyone)], whole: whole, fields: nil, filter: .all,
                cursor: 0)
            models.subscribe(subscription)
            let changes = [
                change(1), change(2, kind: .meeting), change(3), change(4, kind: .meeting, .deleted), change(5),
            ]
            if isLive {
                #expect(!models.wake(subscription))
                models.publish([Commit(changes: changes)])
            } else {
                models.publish([Commit(changes: changes)])
                #expect(models.wake(subscription))
                #expect(try !replay(models, subscription, changes))
            }
            #expect(sockets.frames[1] == [1, 3, 4].map { "id: 00000001-\($0)" }, "live: \(isLive)")
            #expect(ended == 1 && subscription.isCancelled && models.counters.subscriptions == 0)
        }
    }

    @Test("Five thousand subscriptions of one topic share one frame; others are not asked")
    func shared() {
        let (models, sockets) = make()
        let all = (0..<5000).map { subscribe(models, $0, .resource(.book, ResourceID(high: 0, low: 1)), cursor: 0) }
        _ = subscribe(models, 9999, .resource(.book, ResourceID(high: 0, low: 2)), cursor: 0)
        models.publish([Commit(changes: [change(1)])])
        #expect(sockets.frames.count == 5000 && sockets.frames[9999] == nil)
        for subscription in all.shuffled() { models.cancel(subscription) }
        models.publish([Commit(changes: [change(2)])])
        #expect(sockets.frames.values.allSatisfy { $0.count == 1 } && models.counters.subscriptions == 1)
    }

    @Test("A held representation follows the commits, and never goes back")
    func held() {
        let (models, _) = make()
        let id = ResourceID(high: 0, low: 1)
        models.store(.book, id, version: 5, bytes: [5], scope: .everyone)
        models.publish([Commit(changes: [change(4)])])
        #expect(models.value(.book, id)?.version == 5)
        models.publish([Commit(changes: [change(6)])])
        #expect(models.value(.book, id)?.version == 6)
        for number: UInt64 in 10..<3000 {
            models.store(
                .book, ResourceID(high: 0, low: number), version: 1, bytes: Array(repeating: 0, count: 100),
                scope: .everyone)
        }
        #expect(models.counters.cachedBytes <= 100_000)
    }

    @Test("A quiet subscriber is told how far the log is")
    func bookmarks() {
        let (models, _) = make()
        let subscription = subscribe(models, 1, .resource(.book, ResourceID(high: 0, low: 2)), cursor: 0)
        #expect(models.heartbeat(for: subscription) == EventFrame.heartbeat)
        models.publish([Commit(changes: [change(1)])])
        #expect(
            String(decoding: models.heartbeat(for: subscription), as: UTF8.self)
                == "id: 00000001-1\nevent: bookmark\n\n")
        #expect(models.heartbeat(for: subscription) == EventFrame.heartbeat)
    }
}
