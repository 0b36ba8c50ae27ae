import Model

/// Where a page of what a search finds begins.
struct RankedPosition {
    /// The window's matches have places after this one, and up to `end`.
    var from: Int64 = -1
    /// Nil where it is not known yet how far the window goes.
    var end: Int64?
    /// The last match that was given.
    var last: (score: Int64, place: Int64)?
    /// The places of the leaders that are in later windows.
    var leaders: [Int64] = []

    /// Leaders that there may be.
    static let leadersMax = 12

    init() {}

    init(_ cursor: PageCursor) throws(LecternError) {
        guard case .integers(let numbers) = cursor.value, (3...3 + Self.leadersMax).contains(numbers.count),
            numbers[0] >= -1
        else { throw PageCursor.foreign }
        (from, end) = (numbers[0], numbers[1] < 0 ? nil : numbers[1])
        if cursor.key > 0 { last = (numbers[2], cursor.key) }
        leaders = Array(numbers[3...])
    }

    func cursor(of list: PageCursor.List) -> PageCursor {
        PageCursor(list, .integers([from, end ?? -1, last?.score ?? 0] + leaders), key: last?.place ?? 0)
    }
}
