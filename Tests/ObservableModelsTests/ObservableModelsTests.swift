import Model
import ObservableModels
import Testing

@Suite("Observable models")
struct ObservableModelsTests {
    private let viewer = Viewer(
        reader: ResourceID(high: 1, low: 1), readerKey: 1, role: .reader, access: .read,
        token: ResourceID(high: 0, low: 9), expiresAt: nil)

    private func change(
        _ seq: Int64, scope: ChangeScope = .everyone, kind: ResourceKind = .book, id: UInt64 = 1, bytes: Int = 0,
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
        _ loop: Loop, _ owner: UInt64, _ topic: WatchTopic, cursor: Int64, reader: Int64 = 1
    ) -> Subscription {
        let viewer = Viewer(
            reader: viewer.reader, readerKey: reader, role: .reader, access: .read, token: viewer.token, expiresAt: nil)
        let subscription = Subscription(
            owner: owner, viewer: viewer, topics: [topic], fields: nil, filter: nil, cursor: cursor)
        loop.models.subscribe(subscription)
        loop.models.begin(at: cursor)
        #expect(!loop.models.wake(subscription))
        return subscription
    }

    @Test("A live subscription gets the changes after its cursor, and no others'")
    func live() {
        let loop = Loop()
        _ = subscribe(loop, 1, .feed(.everyone), cursor: 2)
        loop.publish([change(1), change(2), change(3)])
        loop.publish([change(4, scope: .reader(key: 2)), change(5)])
        #expect(loop.frames[1] == ["id: 00000001-3", "id: 00000001-5"])
    }

    @Test("A slow subscriber is parked, misses nothing, and is live again after a replay")
    func parked() throws {
        let loop = Loop()
        let subscription = subscribe(loop, 1, .feed(.everyone), cursor: 0)
        loop.says[1] = .kept
        loop.publish([change(1)])
        loop.publish([change(2)])
        loop.publish([change(3)])
        #expect(
            loop.frames[1] == ["id: 00000001-1"] && subscription.state.cursor == 1 && loop.models.counters.parked == 1)
        loop.says[1] = .taken
        #expect(loop.models.wake(subscription))
        #expect(try loop.replay(subscription, [change(2)]))
        loop.publish([change(4)])
        #expect(try !loop.replay(subscription, [change(3), change(4)]))
        loop.publish([change(5)])
        #expect(loop.frames[1] == (1...5).map { "id: 00000001-\($0)" } && loop.models.counters.parked == 0)
    }

    @Test("A commit too large for one turn is completed by a replay, even if the socket accepts everything")
    func tooMuch() throws {
        let loop = Loop()
        let subscription = subscribe(loop, 1, .feed(.everyone), cursor: 0)
        let big = (1...5).map { change($0, bytes: 400_000) }
        loop.publish(big)
        #expect(loop.frames[1] == ["id: 00000001-1", "id: 00000001-2", "id: 00000001-3"])
        #expect(loop.resumed == [1] && subscription.state.cursor == 3 && loop.models.counters.parked == 1)
        loop.publish([change(6)])
        #expect(loop.models.wake(subscription))
        #expect(try !loop.replay(subscription, Array(big[3...]) + [change(6)]))
        loop.publish([change(7)])
        #expect(loop.frames[1] == (1...7).map { "id: 00000001-\($0)" } && loop.models.counters.parked == 0)
    }

    @Test("A subscriber that received part of a change before the models did gets the rest from the log")
    func withinChange() {
        let loop = Loop()
        let subscription = Subscription(
            owner: 1, viewer: viewer, topics: [.feed(.everyone)], fields: nil, filter: nil, cursor: 2, resourcesSent: 1)
        loop.models.begin(at: 2)
        loop.models.subscribe(subscription)
        #expect(!loop.models.wake(subscription) && subscription.state.phase == .live)
        loop.publish([change(3), change(3, id: 2), change(4)])
        #expect(loop.frames[1] == nil && loop.resumed == [1])
        #expect(
            subscription.state.phase == .parked && subscription.state.cursor == 2
                && subscription.state.resourcesSent == 1)
    }

    /// A question that a change causes.
    enum Question: CaseIterable {
        case recipients
        case expand
        case derive
    }

    @Test("A change whose recipients could not be read is sent in its place later", arguments: Question.allCases)
    func faults(_ question: Question) throws {
        let loop = Loop()
        var failures = 0
        func read() throws(RequestError) {
            failures -= 1
            if failures >= 0 { throw .internalError("") }
        }
        loop.recipients = { _, readers throws(RequestError) in
            try read()
            return readers
        }
        loop.visibilityChanges = { row throws(RequestError) in
            try read()
            return [row]
        }
        loop.composed = { change, _ throws(RequestError) in
            try read()
            return [self.change(change.seq, scope: change.scope, kind: .card)]
        }
        let club = ChangeScope.club(key: 7)
        let topic: WatchTopic
        let make: (Int64) -> Change
        switch question {
        case .recipients: (topic, make) = (.feed(club), { self.change($0, scope: club, kind: .note) })
        case .expand:
            let own = ChangeScope.club(key: 7, only: 1)
            (topic, make) = (.feed(own), { self.change($0, scope: own, kind: .note, .unlocked) })
        case .derive:
            (topic, make) = (.list(.card, viewer.scope), { self.change($0, scope: self.viewer.scope, kind: .reading) })
        }
        let subscription = subscribe(loop, 1, topic, cursor: 0)
        loop.publish([make(1)])
        failures = question == .derive ? 4 : 1
        loop.publish([make(2), make(3)])
        loop.publish([make(4)])
        #expect(loop.frames[1] == ["id: 00000001-1"] && subscription.state.cursor == 1)
        #expect(loop.resumed == [1] && loop.models.counters.parked == 1)
        #expect(loop.models.wake(subscription))
        let rest = [2, 3, 4].map(make)
        if question == .derive {
            // A second attempt from the log: the page delivers nothing, and the subscription keeps its position.
            #expect(throws: RequestError.internalError("")) { try loop.replay(subscription, rest) }
            #expect(subscription.state.cursor == 1 && subscription.state.phase == .replaying)
        }
        #expect(try !loop.replay(subscription, rest))
        loop.publish([make(5)])
        #expect(loop.frames[1] == (1...5).map { "id: 00000001-\($0)" } && loop.models.counters.parked == 0)
    }

    @Test("The recipients of a club's note are looked up once for each change, for any number of subscriptions")
    func asked() {
        let loop = Loop()
        var questions: [Set<Int64>] = []
        loop.recipients = { _, readers in
            questions.append(readers)
            return readers.filter { $0 % 2 == 0 }
        }
        let club = ChangeScope.club(key: 7)
        let note = change(1, scope: club, kind: .note)
        for owner: UInt64 in 0..<300 {
            let topics: [WatchTopic] = [.feed(club), .list(.note, club), .resource(.note, note.id)]
            subscribe(loop, owner, topics[Int(owner) % 3], cursor: 0, reader: Int64(owner / 30))
        }
        loop.publish([note])
        #expect(questions == [Set(0..<10)])
        #expect(Set(loop.frames.keys) == Set((0..<300).filter { $0 / 30 % 2 == 0 }))
        // There is no need if the whole club may see the change, or if no one listens.
        loop.publish([change(2, scope: club), change(3, scope: .club(key: 8), kind: .note, id: 2)])
        #expect(questions.count == 1)
    }

    @Test("A replay ends where the models have received the log, and later changes follow live")
    func ahead() throws {
        let loop = Loop()
        loop.publish([change(1), change(2)])
        let subscription = Subscription(
            owner: 1, viewer: viewer, topics: [.feed(.everyone)], fields: nil, filter: nil, cursor: 0)
        loop.models.subscribe(subscription)
        #expect(loop.models.wake(subscription))
        // The log contains four changes already.
        #expect(try !loop.replay(subscription, (1...4).map { change($0) }))
        #expect(loop.frames[1] == ["id: 00000001-1", "id: 00000001-2"] && subscription.state.cursor == 2)
        loop.publish([change(3), change(4)])
        #expect(loop.frames[1] == (1...4).map { "id: 00000001-\($0)" })
    }

    @Test("A subscriber of parts receives the end of their whole, live or from the log, and nothing more")
    func whole() throws {
        for isLive in [true, false] {
            let loop = Loop()
            let whole = WatchTopic.resource(.meeting, ResourceID(high: 0, low: 1))
            let subscription = Subscription(
                owner: 1, viewer: viewer, topics: [.list(.book, .everyone)], whole: whole, fields: nil, filter: .all,
                cursor: 0)
            loop.models.subscribe(subscription)
            let changes = [
                change(1), change(2, kind: .meeting), change(3), change(4, kind: .meeting, .deleted), change(5),
            ]
            if isLive {
                #expect(!loop.models.wake(subscription))
                loop.publish(changes)
            } else {
                loop.publish(changes)
                #expect(loop.models.wake(subscription))
                #expect(try !loop.replay(subscription, changes))
            }
            #expect(loop.frames[1] == [1, 3, 4].map { "id: 00000001-\($0)" }, "live: \(isLive)")
            #expect(loop.ended == [1] && subscription.hasEnded && loop.models.counters.subscriptions == 0)
        }
    }

    @Test("Five thousand subscriptions of one topic share one frame, and others are not visited")
    func shared() {
        let loop = Loop()
        let all = (0..<5000).map { subscribe(loop, $0, .resource(.book, ResourceID(high: 0, low: 1)), cursor: 0) }
        _ = subscribe(loop, 9999, .resource(.book, ResourceID(high: 0, low: 2)), cursor: 0)
        loop.publish([change(1)])
        #expect(loop.frames.count == 5000 && loop.frames[9999] == nil)
        for subscription in all.shuffled() { loop.models.cancel(subscription) }
        loop.publish([change(2)])
        #expect(loop.frames.values.allSatisfy { $0.count == 1 } && loop.models.counters.subscriptions == 1)
    }

    @Test("A cached representation follows the commits and never goes back")
    func held() {
        let loop = Loop()
        let id = ResourceID(high: 0, low: 1)
        loop.models.store(.book, id, version: 5, bytes: [5], scope: .everyone)
        loop.publish([change(4)])
        #expect(loop.models.value(.book, id)?.version == 5)
        loop.publish([change(6)])
        #expect(loop.models.value(.book, id)?.version == 6)
        for number: UInt64 in 10..<3000 {
            loop.models.store(
                .book, ResourceID(high: 0, low: number), version: 1, bytes: Array(repeating: 0, count: 100),
                scope: .everyone)
        }
        #expect(loop.models.counters.cachedBytes <= 100_000)
    }

    @Test("A quiet subscriber receives the position of the log")
    func bookmarks() {
        let loop = Loop()
        let subscription = subscribe(loop, 1, .resource(.book, ResourceID(high: 0, low: 2)), cursor: 0)
        func heartbeat() -> String { String(decoding: loop.models.heartbeat(for: subscription), as: UTF8.self) }
        #expect(heartbeat() == "event: bookmark\ndata: {}\n\n")
        loop.publish([change(1)])
        #expect(heartbeat() == "id: 00000001-1\nevent: bookmark\ndata: {}\n\n")
        #expect(heartbeat() == "event: bookmark\ndata: {}\n\n")
    }
}
