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
        models.deliver = { subscription, frames in
            sockets.frames[subscription.owner, default: []] += frames.map {
                String(decoding: $0.prefix { $0 != 10 }, as: UTF8.self)
            }
            return sockets.says[subscription.owner] ?? .taken
        }
        return (models, sockets)
    }

    private func change(_ seq: Int64, scope: Scope = .everyone, id: UInt64 = 1, bytes: Int = 0) -> Change {
        Change(
            seq: seq, transaction: seq, at: Instant(milliseconds: seq), kind: .book, id: ResourceID(high: 0, low: id),
            scope: scope,
            operation: .updated, changed: FieldSet(index: 0),
            value: Array("{\"version\":\(seq),\"title\":\"\(String(repeating: "x", count: bytes))\"}".utf8),
            before: Array("{}".utf8))
    }

    private func subscribe(_ models: ObservableModels, _ owner: UInt64, _ topic: Topic, cursor: Int64) -> Subscription {
        let subscription = Subscription(
            owner: owner, viewer: viewer, topics: [topic], fields: nil, filter: nil, cursor: cursor)
        models.subscribe(subscription)
        if models.wake(subscription) { _ = models.replay(subscription, [], through: cursor, isEnd: true) }
        return subscription
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
    func parked() {
        let (models, sockets) = make()
        let subscription = subscribe(models, 1, .feed(.everyone), cursor: 0)
        sockets.says[1] = .kept
        models.publish([Commit(changes: [change(1)])])
        models.publish([Commit(changes: [change(2)]), Commit(changes: [change(3)])])
        #expect(sockets.frames[1] == ["id: 00000001-1"] && subscription.cursor == 1 && models.counters.parked == 1)
        sockets.says[1] = .taken
        #expect(models.wake(subscription))
        #expect(models.replay(subscription, [change(2)], through: 2, isEnd: false))
        models.publish([Commit(changes: [change(4)])])
        #expect(!models.replay(subscription, [change(3), change(4)], through: 4, isEnd: true))
        models.publish([Commit(changes: [change(5)])])
        #expect(sockets.frames[1] == (1...5).map { "id: 00000001-\($0)" } && models.counters.parked == 0)
    }

    @Test("Of a commit with too much for one go the rest is replayed, although the socket takes all")
    func tooMuch() {
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
        #expect(!models.replay(subscription, Array(big[3...]) + [change(6)], through: 6, isEnd: true))
        models.publish([Commit(changes: [change(7)])])
        #expect(sockets.frames[1] == (1...7).map { "id: 00000001-\($0)" } && models.counters.parked == 0)
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
