import JSON
import Model
import SharedByTests
import Testing

@testable import ObservableModels

/// Tests of the models of windows, without a socket and without a database.
@Suite("Models of windows")
struct WindowModelTests {
    private static let viewer = Viewer(
        reader: ResourceID(high: 9, low: 1), readerKey: 1, role: .reader, access: .read, token: nil, expiresAt: nil)
    private static let newest = ListOrder.newestFirst
    private static let topic = WatchTopic.window(.book, .everyone, WindowShape(.all, newest, limit: 2))

    private static func id(_ number: UInt64) -> ResourceID { ResourceID(high: 0, low: number) }

    private static func bytes(_ number: UInt64, version: Int64 = 1) -> [UInt8] {
        Array("{\"id\":\"\(id(number))\",\"version\":\(version)}".utf8)
    }

    private static func rows(_ numbers: [UInt64], isEnd: Bool = true, asOf: Int64 = 1) -> WindowRows {
        let rows = numbers.map {
            WindowRow(id($0), at: ListPlace(key: Int64($0)), bytes: bytes($0), asOf: asOf)
        }
        return WindowRows(rows, horizon: isEnd ? nil : rows.last?.place, asOf: asOf)
    }

    private static func change(
        _ operation: ChangeOperation, _ number: UInt64, at seq: Int64, _ kind: ResourceKind = .book,
        in scope: ChangeScope = .everyone
    ) -> Change {
        Change(
            seq: seq, transaction: seq, at: Instant(milliseconds: 5), kind: kind, id: id(number), scope: scope,
            operation: operation, changed: [],
            value: operation == .deleted ? nil : bytes(number, version: seq),
            before: operation == .created ? nil : bytes(number), key: Int64(number))
    }

    private static func url(
        _ name: String?, _ topic: WatchTopic, form: SubscribedEventForm = .window, since: Int64 = 1
    )
        -> SubscribedURL
    {
        SubscribedURL(
            name: name, form: form, topics: [topic], fields: nil, filter: form == .window ? .all : nil, since: since)
    }

    /// Returns a live subscription.
    private static func subscribed(
        _ models: ObservableModels, _ urls: [SubscribedURL], cursor: Int64 = 1, filling rows: WindowRows?,
        from source: Window.Source? = nil
    ) -> Subscription {
        let isNamed = urls[0].name != nil
        let subscription = Subscription(
            owner: 1, viewer: viewer, urls, cursor: cursor,
            cursorState: isNamed
                ? StreamCursorState(after: StreamCursor(epoch: LogEpoch(1), seq: cursor, of: 0, revision: 1)) : nil)
        models.subscribe(subscription)
        if let rows, let source {
            models.fill(topic, rows, from: source)
        } else if let rows {
            models.fill(topic, rows) { _, _ throws(RequestError) in rows }
        }
        _ = models.wake(subscription)
        return subscription
    }

    private static func models(head: Int64 = 1) -> ObservableModels {
        ObservableModels(
            epoch: LogEpoch(1), head: head, cacheBytesMax: 1000,
            ChangeLookups(
                recipients: { _, _ in [] }, visibilityChanges: { _ in [] }, composed: { _, _ in [] }, report: { _ in })
        )
    }

    private static func frames(_ effects: [DeliveryEffect]) -> [String] {
        effects.flatMap { effect -> [String] in
            guard case .send(_, let frames, _) = effect else { return [] }
            return frames.map { frame in
                let lines = String(decoding: frame, as: UTF8.self).split(separator: "\n")
                return lines.first { $0.hasPrefix("data: ") }.map { String($0.dropFirst("data: ".count)) } ?? ""
            }
        }
    }

    @Test("A change that concerns a window and other names is one event, and the row that it moves out another")
    func named() {
        let models = Self.models()
        let urls = [
            Self.url("first", Self.topic), Self.url("book", .resource(.book, Self.id(9)), form: .events),
            Self.url("again", Self.topic),
        ]
        let subscription = Self.subscribed(models, urls, filling: Self.rows([7, 5, 3]))
        #expect(!subscription.needsSnapshot)
        let frames = Self.frames(models.publish(Commit(changes: [Self.change(.created, 9, at: 2)])))
        #expect(frames.count == 2)
        let received = frames.map { $0.prefix { $0 != "]" } }
        #expect(
            Set(
                received[0].dropFirst(8).split(separator: "},").map {
                    $0.drop { "{".contains($0) }.prefix { $0 != "}" }
                })
                == [
                    "\"name\":\"first\",\"event\":\"enter\",\"before\":\"\(Self.id(7))\"",
                    "\"name\":\"book\",\"event\":\"created\"",
                    "\"name\":\"again\",\"event\":\"enter\",\"before\":\"\(Self.id(7))\"",
                ], "\(received[0])")
        #expect(frames[1].contains("\"event\":\"leave\",\"reason\":\"pushedOut\"") && frames[1].contains("\"moved\""))
        #expect(frames[1].hasSuffix("\"isLast\":true}") && !frames[0].contains("isLast"))
    }

    @Test("A window event that cannot be sent is kept for later, and superseded events are left out")
    func owed() {
        let models = Self.models()
        var asked: [(place: ListPlace?, count: Int)] = []
        // The items after them are unknown.
        let subscription = Self.subscribed(
            models, [Self.url(nil, Self.topic)], filling: Self.rows([7, 5], isEnd: false)
        ) { place, count throws(RequestError) in
            asked.append((place, count))
            throw .notFound
        }
        let effects = models.publish(Commit(changes: [Self.change(.deleted, 7, at: 2)]))
        #expect(asked.count == 1 && asked[0].place?.key == 5 && asked[0].count > 1)
        #expect(Self.frames(effects) == [] && subscription.needsSnapshot && !models.isFilled(Self.topic))
        #expect(Self.frames(models.publish(Commit(changes: [Self.change(.created, 9, at: 3)]))) == [])
        models.fill(Self.topic, Self.rows([9, 5], asOf: 3)) { _, _ throws(RequestError) in Self.rows([]) }
        subscription.settle(urlAt: 0, at: 3)
        let received = Self.frames(models.publish(Commit(changes: [Self.change(.deleted, 5, at: 4)])))
        #expect(received.count == 1 && received[0].contains("\"deleted\""))
    }

    @Test(
        "Rows read ahead are read again for a subscription that has passed their change")
    func ahead() {
        let models = Self.models()
        // One subscription has received nothing yet; the other has read the database up to change 3.
        let early = Self.subscribed(
            models, [Self.url(nil, Self.topic)], filling: Self.rows([7, 5], isEnd: false)
        ) { _, _ throws(RequestError) in
            // Item 4 has been added since.
            Self.rows([4], asOf: 5)
        }
        let late = Self.subscribed(models, [Self.url(nil, Self.topic, since: 3)], cursor: 3, filling: nil)
        let effects = models.publish(Commit(changes: [Self.change(.deleted, 7, at: 2)]))
        #expect(Self.frames(effects).count == 2 && !early.needsSnapshot && late.needsSnapshot)
        #expect(Self.frames(models.publish(Commit(changes: [Self.change(.created, 4, at: 5)]))) == [])
        // A client that has read up to there continues from the window's content.
        let later = Self.subscribed(models, [Self.url(nil, Self.topic, since: 5)], cursor: 5, filling: nil)
        #expect(!later.needsSnapshot)
    }

    @Test("A note that the reader does not see leaves the window as it is; one of unknown visibility makes it stale")
    func unknown() {
        let loop = Loop(head: 1)
        let models = loop.models
        let club = ChangeScope.club(key: 7)
        let topic = WatchTopic.window(.note, club, WindowShape(.all, Self.newest, limit: 2, reader: 1))
        let subscription = Subscription(
            owner: 1, viewer: Self.viewer, [Self.url(nil, topic)], cursor: 1)
        models.subscribe(subscription)
        models.fill(topic, Self.rows([3])) { _, _ throws(RequestError) in Self.rows([]) }
        _ = models.wake(subscription)
        loop.recipients = { _, readers in
            #expect(readers == [1])
            return []
        }
        let note = Commit(changes: [Self.change(.created, 4, at: 2, .note, in: club)])
        #expect(Self.frames(models.publish(note)) == [] && !subscription.needsSnapshot && loop.asked.count == 1)
        loop.recipients = { _, _ throws(RequestError) in throw .notFound }
        let next = Commit(changes: [Self.change(.created, 5, at: 3, .note, in: club)])
        #expect(Self.frames(models.publish(next)) == [] && subscription.needsSnapshot)
    }
}
