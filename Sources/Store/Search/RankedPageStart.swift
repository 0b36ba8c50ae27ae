import Model

/// The start of a page of a search.
struct RankedPageStart {
    /// The position before the window, whose matches are after it and up to `end`.
    var from: Int64 = -1
    /// The end of the window, or `nil` if it is not known yet.
    var end: Int64?
    /// The last match that was returned.
    var last: (score: Int64, place: Int64)?
    /// The positions of the matches that came before the first window. Later windows leave them out.
    var leaders: [Int64] = []

    /// The maximum number of leaders.
    static let leadersMax = 12

    init() {}

    init(_ cursor: ListPageCursor) throws(RequestError) {
        guard case .integers(let numbers) = cursor.value, numbers[0] >= -1 else { throw ListPageCursor.foreign }
        (from, end) = (numbers[0], numbers[1] < 0 ? nil : numbers[1])
        if cursor.key > 0 { last = (numbers[2], cursor.key) }
        leaders = Array(numbers[3...])
    }

    func cursor(of list: ListPageCursor.List) -> ListPageCursor {
        ListPageCursor(list, .integers([from, end ?? -1, last?.score ?? 0] + leaders), key: last?.place ?? 0)
    }
}
