import Model
import SharedByTests
import Testing

@testable import ObservableModels

/// Tests of the first rows of a list during changes.
@Suite("Windows of lists")
struct WindowTests {
    /// A change of a row, and the window's events for it.
    struct Row: CustomTestStringConvertible, Sendable {
        let says: String
        let id: UInt64
        /// The row's new place, or `nil` if it does not belong to the list.
        let place: Int64?
        var isDeleted = false
        let tells: [String]
        let shown: [UInt64]
        var testDescription: String { says }
    }

    /// The changes of a window that shows three of the rows 10, 20, 30, 40 and 50, each at the place of its number.
    static let rows: [Row] = [
        Row(
            says: "What comes pushes the last one out", id: 15, place: 15,
            tells: ["enter 15 < 20", "leave 30 pushedOut"],
            shown: [10, 15, 20]),
        Row(
            says: "What comes as the last stands before nothing", id: 25, place: 25,
            tells: ["enter 25 <", "leave 30 pushedOut"], shown: [10, 20, 25]),
        Row(says: "What comes further on is not told", id: 35, place: 35, tells: [], shown: [10, 20, 30]),
        Row(
            says: "Who goes has a successor", id: 20, place: nil, isDeleted: true,
            tells: ["leave 20 deleted", "enter 40 <"], shown: [10, 30, 40]),
        Row(
            says: "Who passes no more has one, too", id: 10, place: nil, tells: ["leave 10 changed", "enter 40 <"],
            shown: [20, 30, 40]),
        Row(
            says: "Who moves behind the others is pushed out", id: 10, place: 45,
            tells: ["leave 10 pushedOut", "enter 40 <"], shown: [20, 30, 40]),
        Row(
            says: "Who moves far behind is, too", id: 10, place: 450, tells: ["leave 10 pushedOut", "enter 40 <"],
            shown: [20, 30, 40]),
        Row(
            says: "Who moves forward is before another", id: 30, place: 5, tells: ["updated 30 < 10"],
            shown: [30, 10, 20]),
        Row(
            says: "Who moves backward may be the last", id: 10, place: 35, tells: ["updated 10 <"], shown: [20, 30, 10]),
        Row(
            says: "Who stays where it was is before whom it was", id: 20, place: 20, tells: ["updated 20 < 30"],
            shown: [10, 20, 30]),
        Row(
            says: "Who comes from behind pushes the last one out", id: 50, place: 12,
            tells: ["enter 50 < 20", "leave 30 pushedOut"], shown: [10, 50, 20]),
        Row(says: "Who goes behind is not told", id: 50, place: nil, tells: [], shown: [10, 20, 30]),
        Row(says: "Who changes behind is not told", id: 40, place: 47, tells: [], shown: [10, 20, 30]),
        Row(
            says: "Who never was there is not told of", id: 60, place: nil, isDeleted: true, tells: [],
            shown: [10, 20, 30]),
    ]

    private static func row(_ number: UInt64, at place: Int64? = nil, asOf: Int64 = 1) -> WindowRow {
        WindowRow(
            ResourceID(high: 0, low: number), at: ListPlace(.number(place ?? Int64(number)), key: Int64(number)),
            bytes: [], asOf: asOf)
    }

    private static let numbered = ListOrder(by: .number("place"))

    private static func window(_ numbers: [UInt64], limit: Int, horizon: Int64? = nil) -> Window {
        Window(
            WindowRows(
                numbers.map { row($0) }, horizon: horizon.map { ListPlace(.number($0), key: .max) }, asOf: 1),
            order: numbered, limit: limit)
    }

    static func text(_ event: WindowEvent) -> String {
        let text = "\(event.subscribed.event) \(event.id.low)"
        if event.subscribed.event == .leave { return "\(text) \(event.subscribed.reason?.rawValue ?? "")" }
        return "\(text) <" + (event.subscribed.neighbour?.id.map { " \($0.low)" } ?? "")
    }

    @Test("A change of one row affects only shown rows", arguments: WindowTests.rows)
    func received(_ row: Row) {
        var window = Self.window([10, 20, 30, 40, 50], limit: 3, horizon: 60)
        let place = row.place.map { ListPlace(.number($0), key: Int64(row.id)) }
        let events = window.take(
            ResourceID(high: 0, low: row.id), at: place, row.isDeleted ? nil : [1], seq: 2,
            leaving: row.isDeleted ? .deleted : .changed)
        #expect(events.map(Self.text) == row.tells)
        #expect(window.rows.prefix(3).map(\.id.low) == row.shown)
    }

    @Test("A change that a row read later already contains has no effect")
    func known() {
        var window = Self.window([10, 20], limit: 3, horizon: 20)
        window.extend(
            WindowRows([Self.row(30, asOf: 9), Self.row(20, at: 35, asOf: 9)], horizon: nil, asOf: 9), before: 2)
        #expect(window.rows.map(\.id.low) == [10, 20, 30] && window.horizon == nil)
        let thirty = ResourceID(high: 0, low: 30)
        #expect(window.take(thirty, at: nil, nil, seq: 8, leaving: .deleted).isEmpty)
        #expect(window.take(thirty, at: ListPlace(.number(1), key: 30), [1], seq: 9, leaving: .changed).isEmpty)
        #expect(window.take(thirty, at: nil, nil, seq: 10, leaving: .deleted).count == 1)
        // A known item moves by its own change.
        let moved = window.take(
            ResourceID(high: 0, low: 20), at: ListPlace(.number(35), key: 20), [1], seq: 8, leaving: .changed)
        #expect(moved.map(Self.text) == ["updated 20 <"])
    }

    @Test("A window reads the rows after its last one before it runs out of spares, and keeps no more than it needs")
    func bounds() {
        let capacity = Window.capacity(limit: 20)
        var window = Self.window(Array(1...UInt64(capacity)), limit: 20, horizon: Int64(capacity))
        #expect(window.lacks(beforeLosing: capacity - 20) == 0)
        #expect(window.lacks(beforeLosing: capacity - 19) == capacity - 19)
        #expect(Self.window([1, 2], limit: 20).lacks(beforeLosing: 2) == 0)
        for number in 1...30 {
            let place = ListPlace(.number(Int64(-number)), key: Int64(1000 + number))
            _ = window.take(ResourceID(high: 1, low: UInt64(number)), at: place, [1], seq: 2, leaving: .changed)
        }
        window.trim()
        #expect(window.rows.count == capacity && window.horizon == window.rows.last?.place)
        for row in window.rows.prefix(capacity - 19) {
            _ = window.take(row.id, at: nil, nil, seq: 3, leaving: .deleted)
        }
        #expect(window.isShort)
    }

    @Test("A row with an unknown key keeps its former one")
    func keys() {
        var window = Window(
            WindowRows([Self.row(3, at: 0), Self.row(5, at: 0)], horizon: nil, asOf: 1), order: Self.numbered, limit: 5)
        let events = window.take(
            ResourceID(high: 0, low: 5), at: ListPlace(.number(0), key: 0), [1], seq: 2, leaving: .changed)
        #expect(events.map(Self.text) == ["updated 5 <"] && window.rows.map(\.place.key) == [3, 5])
        #expect(
            window.take(ResourceID(high: 0, low: 6), at: ListPlace(.number(0), key: 0), [1], seq: 2, leaving: .changed)
                .isEmpty)
    }

    @Test("A window equals the first rows of the whole list sorted again", arguments: 1...40)
    func oracle(_ seed: UInt64) {
        var world = WindowResources(seed: seed)
        for _ in 0..<400 {
            world.change()
            world.receive()
        }
        world.hearAll()
        #expect(world.surprises == [])
        #expect(world.comparisons > 100)
    }

    @Test("Places compare like the database's: numbers, then bytes, then keys")
    func places() {
        let places = [
            ListPlace(.number(-100_000), key: 9), ListPlace(.number(-3), key: 2), ListPlace(.number(-3), key: 4),
            ListPlace(.number(1984), key: 1),
        ]
        #expect(places.reversed().sorted() == places)
        let texts = ["", "a", "a b", "ab", "z", "é", "\u{10FFFF}"].map { ListPlace(.text(Array($0.utf8)), key: 1) }
        #expect(texts.reversed().sorted() == texts)
        #expect(ListOrder(by: .title, isDescending: true).precedes(texts[1], texts[0]))
    }
}
