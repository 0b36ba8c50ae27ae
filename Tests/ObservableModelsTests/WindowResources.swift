import Model
import SharedByTests

@testable import ObservableModels

/// A changing list, a window that receives the changes later, and a client of the window.
struct WindowResources {
    private struct Item {
        var place: Int64
        var passes: Bool
        let key: Int64
        var version: Int64
    }

    private struct Step {
        let id: UInt64
        let item: Item?
    }

    private var random: SeededGenerator
    private let order: ListOrder
    private let limit: Int
    /// The items in the database.
    private var items: [UInt64: Item] = [:]
    /// The items as of the changes that the window has received.
    private var received: [UInt64: Item] = [:]
    private var steps: [Step] = []
    private var heardCount = 0
    private var window: Window
    /// The client's ids, and their versions.
    private var shown: [(id: UInt64, version: Int64)]
    /// The change up to which the window may know more than it has received.
    private var aheadUntil: Int64 = 0
    private(set) var surprises: [String] = []
    private(set) var comparisons = 0

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        order = ListOrder(by: .number("place"), isDescending: seed % 2 == 0)
        limit = Int.random(in: 1...12, using: &random)
        for number in 1...UInt64(Int.random(in: 1...60, using: &random)) {
            items[number] = Item(
                place: .random(in: 0...20, using: &random), passes: .random(using: &random), key: Int64(number),
                version: 0)
        }
        received = items
        let rows = Self.rows(of: items, in: order, asOf: 0)
        let first = Array(rows.prefix(limit + 3))
        window = Window(
            WindowRows(first, horizon: rows.count > first.count ? first.last?.place : nil, asOf: 0), order: order,
            limit: limit)
        shown = rows.prefix(limit).map { ($0.id.low, 0) }
    }

    private static func rows(of items: [UInt64: Item], in order: ListOrder, asOf: Int64) -> [WindowRow] {
        items.filter(\.value.passes).map { id, item in
            WindowRow(
                ResourceID(high: 0, low: id), at: ListPlace(.number(item.place), key: item.key),
                bytes: bytes(item.version), asOf: asOf)
        }.sorted { order.precedes($0.place, $1.place) }
    }

    private static func bytes(_ version: Int64) -> [UInt8] { Array("\(version)".utf8) }

    /// Makes some changes without delivering them.
    mutating func change() {
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            let id = items.keys.sorted().randomElement(using: &random) ?? 0
            let version = Int64(steps.count + 1)
            switch Int.random(in: 0..<10, using: &random) {
            case 0...1:
                let key = Int64(1000 + steps.count)
                items[UInt64(key)] = Item(
                    place: .random(in: 0...20, using: &random), passes: true, key: key, version: version)
                steps.append(Step(id: UInt64(key), item: items[UInt64(key)]))
                continue
            case 2...3: items[id] = nil
            case 4...6: items[id]?.place = .random(in: 0...20, using: &random)
            case 7...8: items[id]?.passes.toggle()
            default: break
            }
            items[id]?.version = version
            steps.append(Step(id: id, item: items[id]))
        }
    }

    /// Delivers some of the changes.
    mutating func receive() { receive(upTo: min(steps.count, heardCount + .random(in: 0...4, using: &random))) }

    mutating func hearAll() { receive(upTo: steps.count) }

    private mutating func receive(upTo end: Int) {
        let missing = window.lacks(beforeLosing: end - heardCount)
        if missing > 0, let horizon = window.horizon {
            let now = Int64(steps.count)
            let rest = Self.rows(of: items, in: order, asOf: now).filter { order.precedes(horizon, $0.place) }
            let next = Array(rest.prefix(missing))
            window.extend(
                WindowRows(next, horizon: rest.count > next.count ? next.last?.place : nil, asOf: now),
                before: Int64(heardCount + 1))
            aheadUntil = now
        }
        while heardCount < end {
            let step = steps[heardCount]
            heardCount += 1
            received[step.id] = step.item
            let place = step.item.flatMap { $0.passes ? ListPlace(.number($0.place), key: $0.key) : nil }
            let events = window.take(
                ResourceID(high: 0, low: step.id), at: place, step.item.map { Self.bytes($0.version) },
                seq: Int64(heardCount), leaving: step.item == nil ? .deleted : .changed)
            for event in events { apply(event, step) }
            if shown.count > limit { surprises.append("too many at \(heardCount)") }
            compare()
        }
        window.trim()
        if window.isShort { surprises.append("short at \(heardCount)") }
    }

    private mutating func apply(_ event: WindowEvent, _ step: Step) {
        let old = shown.firstIndex { $0.id == event.id.low }
        if (old == nil) != (event.subscribed.event == .enter) {
            surprises.append("\(WindowTests.text(event)) at \(heardCount)")
        }
        if let old { shown.remove(at: old) }
        if event.subscribed.event == .leave { return }
        let version = event.row.flatMap { Int64(String(decoding: $0.bytes, as: UTF8.self)) } ?? step.item?.version ?? -1
        let at =
            event.subscribed.neighbour?.id.map { before in shown.firstIndex { $0.id == before.low } } ?? shown.count
        guard let at else { return surprises.append("before a stranger: \(WindowTests.text(event)) at \(heardCount)") }
        shown.insert((event.id.low, version), at: at)
    }

    private mutating func compare() {
        guard heardCount >= aheadUntil else { return }
        comparisons += 1
        let truth = Self.rows(of: received, in: order, asOf: 0).prefix(limit)
        let received = shown.map { "\($0.id) v\($0.version)" }
        let right = truth.map { "\($0.id.low) v\(String(decoding: $0.bytes, as: UTF8.self))" }
        if received != right { surprises.append("at \(heardCount): \(received) instead of \(right)") }
    }
}
