import Model
import Testing

@testable import ObservableModels

@Suite("Notes hidden from one reader")
struct HiddenTests {
    private static let scope = ChangeScope.club(key: 7, only: 1)
    private static let note = ResourceID(high: 0, low: 5)

    /// Returns the log's row that names notes.
    private static func row(_ operation: ChangeOperation) -> Change {
        change(operation, .zero, value: Array("[5]".utf8), before: nil)
    }

    /// Returns the change that the row stands for.
    private static func going(_ operation: ChangeOperation) -> Change {
        change(operation, note, value: nil, before: Array("{\"version\":1,\"author\":\"x\"}".utf8))
    }

    private static func change(
        _ operation: ChangeOperation, _ id: ResourceID, value: [UInt8]?, before: [UInt8]?
    ) -> Change {
        Change(
            seq: 1, transaction: 1, at: Instant(milliseconds: 1), kind: .note, id: id, scope: scope,
            operation: operation, changed: [], value: value, before: before)
    }

    private func subscribe(
        _ loop: Loop, _ owner: UInt64, _ topic: WatchTopic, reader: Int64 = 1, form: SubscribedEventForm = .events,
        filter: ListFilter? = nil
    ) -> Subscription {
        let viewer = Viewer(
            reader: ResourceID(high: 1, low: UInt64(reader)), readerKey: reader, role: .reader, access: .read,
            token: nil, expiresAt: nil)
        let subscription = Subscription(
            owner: owner, viewer: viewer, form: form, topics: [topic], group: 7, fields: nil, filter: filter, cursor: 0)
        loop.models.subscribe(subscription)
        _ = loop.models.wake(subscription)
        return subscription
    }

    @Test(
        "A hidden note leaves its lists, is sent to the reader's feed, and ends its own stream; nobody else gets an event",
        arguments: [ChangeOperation.hidden, .raised])
    func received(_ operation: ChangeOperation) {
        let loop = Loop()
        loop.visibilityChanges = { _ in [Self.going(operation)] }
        let subscriptions = [
            subscribe(loop, 1, .list(.note, Self.scope), filter: .all),
            subscribe(loop, 2, .list(.note, Self.scope), filter: .having("author", "x")),
            subscribe(loop, 3, .list(.note, Self.scope), filter: .having("author", "y")),
            subscribe(loop, 4, .feed(Self.scope)),
            subscribe(loop, 5, .resource(.note, Self.note)),
            subscribe(loop, 6, .resource(.note, Self.note), reader: 2),
            subscribe(loop, 7, .list(.note, Self.scope), form: .view),
        ]
        loop.publish([Self.row(operation)])
        #expect(loop.asked.count == 1)
        #expect(loop.events == [1: ["leave"], 2: ["leave"], 4: ["hidden"], 5: ["leave"]])
        #expect(loop.ended == [5] && Set(loop.owing) == [7])
        #expect(subscriptions[5].state.phase == .live)
    }

    @Test(
        "A hidden note is looked up only for its own stream, and what cannot be read comes from the log",
        arguments: [ChangeOperation.hidden, .raised])
    func fault(_ operation: ChangeOperation) throws {
        let loop = Loop()
        loop.visibilityChanges = { _ throws(RequestError) in throw .internalError("") }
        let subscription = subscribe(loop, 1, .resource(.note, Self.note))
        loop.publish([Self.row(operation)])
        #expect(loop.events[1] == nil && loop.resumed == [1] && subscription.state.phase == .parked)
        #expect(loop.models.wake(subscription))
        _ = try loop.replay(subscription, [Self.going(operation)])
        #expect(loop.events[1] == ["leave"] && loop.ended == [1])
    }
}
