import Model

/// The results of a search, best match first.
///
/// Rows are walked in windows, in an order that is the same for all viewers; within a window the best match comes
/// first. A search with many matches therefore costs no more than one with few, and its pages are consistent. Leaders,
/// a few matches that are too good to wait for their window, may come before the first window.
protocol RankedSearchResults {
    associatedtype Item

    /// The list that its cursors belong to.
    var cursors: ListPageCursor.List { get }
    /// The maximum number of rows of a window. It is a number and not a time, because the end of a window decides the
    /// order, which must not depend on the machine's load.
    var rowsMax: Int { get }
    /// Returns the position at which a window that begins after another position ends at the latest, because it has
    /// too many rows that the reader cannot see.
    func windowEnd(after from: Int64) throws(SQLiteError) -> Int64?
    /// Returns the rows with positions after one and up to another, in order.
    func rows(after from: Int64, through end: Int64) throws(SQLiteError) -> SQLiteStatement
    /// Returns the position of a row.
    func place(of row: SQLiteStatement) -> Int64
    /// Returns the match of a row, or `nil`.
    func match(in row: SQLiteStatement) throws(SQLiteError) -> RankedSearchMatch<Item>?
    func leaders() throws(SQLiteError) -> [RankedSearchMatch<Item>]
    /// Returns the match at a position, or `nil` if it no longer exists.
    func match(at place: Int64) throws(SQLiteError) -> RankedSearchMatch<Item>?
}

/// The defaults for a list without leaders.
extension RankedSearchResults {
    var rowsMax: Int { 1024 }
    func windowEnd(after from: Int64) throws(SQLiteError) -> Int64? { nil }
    func leaders() throws(SQLiteError) -> [RankedSearchMatch<Item>] { [] }
    func match(at place: Int64) throws(SQLiteError) -> RankedSearchMatch<Item>? { nil }
}

/// The maximum number of matches in a window, which are sorted together.
let rankedWindowMax = 256
/// The factor by which a window whose end is in a cursor may have grown since. Further matches belong to the next
/// window. Without this limit a cursor could request all rows at once.
private let grownMax = 4

extension RankedSearchResults {
    /// Returns the next matches and the position of the next page, or `nil` at the end.
    func page(
        at position: RankedPageStart, limit: Int, _ time: PageTimeLimit
    ) throws(SQLiteError) -> (matches: [RankedSearchMatch<Item>], next: RankedPageStart?) {
        var position = position
        var page: [RankedSearchMatch<Item>] = []
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
            // Sorts only the indices: an item is large, and moving it costs more than comparing.
            let rest = matches.indices.sorted { matches[$0] < matches[$1] }
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

    /// Returns the leaders that are not in the first window. Their positions are stored, so that later windows leave
    /// them out.
    private func leaders(
        beside window: [RankedSearchMatch<Item>], at position: inout RankedPageStart
    ) throws(SQLiteError) -> [RankedSearchMatch<Item>] {
        var led: [RankedSearchMatch<Item>] = []
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

    /// Returns the search's matches in the window that begins after `position.from`. Sets `position.end` if it is `nil`:
    /// if a page of results ends within the window, the next page must use the same window.
    private func window(at position: inout RankedPageStart) throws(SQLiteError) -> [RankedSearchMatch<Item>] {
        var end = position.end ?? .max
        if position.end == nil, let last = try windowEnd(after: position.from) { end = last }
        let statement = try rows(after: position.from, through: end)
        defer { statement.reset() }
        var matches: [RankedSearchMatch<Item>] = []
        var looked = 0
        while try statement.step() {
            let match = try match(in: statement)
            looked += match?.weight ?? 1
            if let match { matches.append(match) }
            let most = position.end == nil ? 1 : grownMax
            if matches.count == rankedWindowMax * most || looked >= rowsMax * most {
                position.end = place(of: statement)
                return matches
            }
        }
        position.end = end
        return matches
    }
}

extension ReadConnection {
    /// Returns a page of a search. After `pageMicrosecondsMax` no further window starts; the page then ends early,
    /// possibly empty, with a `next` cursor.
    func page<List: RankedSearchResults>(
        of list: List, after cursor: String?, limit: Int
    ) throws(RequestError) -> ListPage<List.Item> {
        let position = try ListPageCursor(cursor, of: list.cursors).map(RankedPageStart.init) ?? RankedPageStart()
        let time = PageTimeLimit(microsecondsMax: pageMicrosecondsMax)
        return try query { _ throws(SQLiteError) in
            let (matches, next) = try list.page(at: position, limit: limit, time)
            return ListPage(items: matches.map(\.item), next: next?.cursor(of: list.cursors).text)
        }
    }
}

/// A match of a search, with its sort keys.
struct RankedSearchMatch<Item> {
    let item: Item
    let score: Int64
    let place: Int64
    /// The number of visited rows that the match counts as.
    var weight = 1

    /// Returns a Boolean value indicating whether the left match comes first: by score, then by position.
    static func < (left: RankedSearchMatch, right: RankedSearchMatch) -> Bool {
        left.score != right.score ? left.score > right.score : left.place < right.place
    }
}
