import Model

/// What a search finds, the best first.
///
/// Rows are walked in the order of their places, which is the same for everybody, in windows; within a window the best match
/// comes first. So what very much matches costs what little does, and pages fit together however many there are. Before the
/// first window may come leaders: a few matches that are too good to wait for theirs.
protocol RankedList {
    associatedtype Item

    /// What its cursors are of.
    var cursors: PageCursor.List { get }
    /// Rows of a window that are looked at. A number, not a time: where a window ends decides the order, which must not be another on
    /// a busy machine.
    var rowsMax: Int { get }
    /// The rows with places after one and up to another, in their order.
    func rows(after from: Int64, through end: Int64) throws(SQLiteError) -> Statement
    /// Where a row is.
    func place(of row: Statement) -> Int64
    /// What matches in a row; nil where nothing does.
    func match(in row: Statement) -> RankedMatch<Item>?
    func leaders() throws(SQLiteError) -> [RankedMatch<Item>]
    /// The match that has a place; nil when there is none any more.
    func match(at place: Int64) throws(SQLiteError) -> RankedMatch<Item>?
}

/// A list without leaders.
extension RankedList {
    var rowsMax: Int { 1024 }
    func leaders() throws(SQLiteError) -> [RankedMatch<Item>] { [] }
    func match(at place: Int64) throws(SQLiteError) -> RankedMatch<Item>? { nil }
}

/// Matches that are held against each other.
let rankedWindowMax = 256
/// A window whose end a cursor names may have grown since; what is beyond so many times its size belongs to the next one. Else
/// a cursor could ask for everything at once.
private let grownMax = 4

extension RankedList {
    /// The next matches, and where the page after them begins; nil when there is none.
    func page(
        at position: RankedPosition, limit: Int, _ time: PageTime
    ) throws(SQLiteError) -> (matches: [RankedMatch<Item>], next: RankedPosition?) {
        var position = position
        var page: [RankedMatch<Item>] = []
        while page.count < limit {
            var matches = try window(at: &position)
            if position.from < 0 {
                matches += try leaders(beside: matches, at: &position)
            } else {
                matches.removeAll { position.leaders.contains($0.place) }
            }
            if let last = position.last {
                matches.removeAll { $0.score > last.score || $0.score == last.score && $0.place <= last.place }
            }
            // By what they are sorted by alone: an item is large, and moving it costs more than comparing.
            let rest = RankedPlace.order(of: matches.map { RankedPlace(score: $0.score, place: $0.place) })
            let taken = rest.prefix(limit - page.count).map { matches[$0] }
            page += taken
            if taken.count < rest.count, let last = taken.last {
                position.last = (last.score, last.place)
                return (page, position)
            }
            guard let end = position.end, end < .max else { return (page, nil) }
            (position.from, position.end, position.last) = (end, nil, nil)
            if time.isSpent { break }
        }
        return (page, position)
    }

    /// The leaders that the first window does not have of its own accord. They are remembered, so that no later one has them.
    private func leaders(
        beside window: [RankedMatch<Item>], at position: inout RankedPosition
    ) throws(SQLiteError) -> [RankedMatch<Item>] {
        var led: [RankedMatch<Item>] = []
        if position.last == nil, position.leaders.isEmpty {
            led = try leaders()
        } else {
            for place in position.leaders { if let match = try match(at: place) { led.append(match) } }
        }
        let places = Set(window.map(\.place))
        led = led.filter { !places.contains($0.place) }
        position.leaders = led.map(\.place)
        return led
    }

    /// The matches of a window. Where it is not known yet where it ends, that is noted: a window that has been given in part must
    /// not end elsewhere the next time.
    private func window(at position: inout RankedPosition) throws(SQLiteError) -> [RankedMatch<Item>] {
        let statement = try rows(after: position.from, through: position.end ?? .max)
        defer { statement.reset() }
        var matches: [RankedMatch<Item>] = []
        var looked = 0
        while try statement.step() {
            let match = match(in: statement)
            looked += match?.weight ?? 1
            if let match { matches.append(match) }
            let most = position.end == nil ? 1 : grownMax
            if matches.count == rankedWindowMax * most || looked >= rowsMax * most {
                position.end = place(of: statement)
                return matches
            }
        }
        position.end = position.end ?? .max
        return matches
    }
}

extension ReadConnection {
    /// A page of what a search finds. After `pageMicrosecondsMax` it looks at no further window: then it ends where it is, maybe with
    /// none, and has a `next`.
    func page<List: RankedList>(
        of list: List, after cursor: String?, limit: Int
    ) throws(LecternError) -> Page<List.Item> {
        let position = try PageCursor(cursor, of: list.cursors).map(RankedPosition.init) ?? RankedPosition()
        let time = PageTime(microsecondsMax: pageMicrosecondsMax)
        return try query { _ throws(SQLiteError) in
            let (matches, next) = try list.page(at: position, limit: limit, time)
            return Page(items: matches.map(\.item), next: next?.cursor(of: list.cursors).text)
        }
    }
}
