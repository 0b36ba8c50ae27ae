import Model

/// Books in the order of relevance.
///
/// What matches is walked in the order of places, which is the same for everybody, in windows; within a window the best
/// comes first. So the commonest word costs what a rare one does, and pages fit together however many there are. Before the
/// first window come the leaders: the few whose title is, or begins with, what is asked, wherever their place is.
struct RankedBooks {
    /// Matches that are held against each other.
    static let windowMax = 256
    /// Books whose titles are looked at for leaders, and those that may be.
    private static let lookedAtMax: Int64 = 64
    private static let leadersMax = 12

    let search: SearchQuery
    let filter: BookFilter
    let db: Connection
    private let relevance: Relevance
    private let match: String?
    private static let mostRelevantFirst = BookOrder.relevance.list

    init(_ search: SearchQuery, _ filter: BookFilter, in db: Connection) {
        (self.search, self.filter, self.db) = (search, filter, db)
        relevance = Relevance(search)
        match = BookSearch.match(filter)
    }

    /// A book that matches, and what it is sorted by.
    struct Match {
        let book: Book
        let score: Int64
        let place: Int64

        /// Whether it comes before another one: the better, then the one that more readers have, then the older.
        static func < (left: Match, right: Match) -> Bool {
            left.score != right.score ? left.score > right.score : left.place < right.place
        }
    }

    /// Where a page begins.
    struct Position {
        /// The window's matches have places after this one, and up to `end`.
        var from: Int64 = -1
        var end: Int64?
        /// The last match that was given.
        var last: (score: Int64, place: Int64)?
        /// The places of the leaders that are in later windows.
        var leaders: [Int64] = []

        init() {}

        init(_ cursor: PageCursor) throws(LecternError) {
            guard case .integers(let numbers) = cursor.value, numbers.count >= 3 else { throw PageCursor.foreign }
            (from, end) = (numbers[0], numbers[1] < 0 ? nil : numbers[1])
            if cursor.key > 0 { last = (numbers[2], cursor.key) }
            leaders = Array(numbers[3...])
        }

        var cursor: PageCursor {
            PageCursor(
                mostRelevantFirst, .integers([from, end ?? -1, last?.score ?? 0] + leaders), key: last?.place ?? 0)
        }
    }

    /// The next matches, and where the page after them begins; nil when there is none.
    func page(
        at position: Position, limit: Int, _ time: inout PageTime
    ) throws(SQLiteError) -> (matches: [Match], next: Position?) {
        var position = position
        var page: [Match] = []
        while page.count < limit {
            let isFirst = position.from < 0
            var window = try self.window(at: &position, &time)
            var led: [Match] = []
            if isFirst {
                if position.last == nil, position.leaders.isEmpty {
                    led = try leaders()
                } else {
                    for place in position.leaders { if let match = try self.match(at: place) { led.append(match) } }
                }
                let places = Set(window.map(\.place))
                led = led.filter { !places.contains($0.place) }
                // What the window has is none of its own accord; the others are remembered, so that no later window has them.
                position.leaders = led.map(\.place)
            } else {
                window.removeAll { position.leaders.contains($0.place) }
            }
            var rest = (window + led).sorted(by: <)
            if let last = position.last {
                rest.removeAll { $0.score > last.score || $0.score == last.score && $0.place <= last.place }
            }
            let taken = rest.prefix(limit - page.count)
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

    /// The matches of a window, in the order of their places. Where it is not known yet where it ends, that is noted: a window that
    /// has been given in part must not end elsewhere the next time.
    private func window(at position: inout Position, _ time: inout PageTime) throws(SQLiteError) -> [Match] {
        let condition = BookSearch.condition(filter, hasLanguage: true)
        let statement = try db.statement(Self.windows, condition)
        BookSearch.bind(filter, match, to: statement.bind(1, position.from).bind(2, position.end ?? .max))
        defer { statement.reset() }
        var matches: [Match] = []
        while try statement.step() {
            let place = statement.integer(BookTable.rows.width)
            if statement.integer(BookTable.rows.width + 1) != 0 {
                matches.append(scored(BookTable.row(statement), at: place))
            }
            if position.end == nil, matches.count == Self.windowMax || time.isOver {
                position.end = place
                return matches
            }
        }
        position.end = position.end ?? .max
        return matches
    }

    private static let windows = Variants<String?> { condition in
        """
        SELECT \(BookTable.rows.columns), books_words.rowid, \(condition.map { "ifnull(\($0), 0)" } ?? "1")
        FROM books_words CROSS JOIN books ON books.key = \(BookIndex.key)
        WHERE books_words MATCH ?4 AND books_words.rowid > ?1 AND books_words.rowid <= ?2
        ORDER BY books_words.rowid
        """
    }

    private func scored(_ book: Book, at place: Int64) -> Match {
        let words = BookWords(of: book)
        let readers = BookIndex.readerClass(ofPlace: place)
        return Match(
            book: book, score: relevance.score(of: words.ofTitle, and: words.ofAuthors, readers: readers), place: place)
    }

    private static let beginnings = BookTable.rows.sql(
        "INDEXED BY books_sort_title WHERE sort_title >= ?1 AND sort_title < ?2 ORDER BY sort_title LIMIT ?3")

    /// Matches whose title is, or begins with, what is asked.
    private func leaders() throws(SQLiteError) -> [Match] {
        var found: [Match] = []
        for titles in search.titles {
            let books = try db.statement(Self.beginnings).bind(1, titles.first).bind(2, titles.end)
                .bind(3, Self.lookedAtMax).all(BookTable.row)
            for book in books where filter.matches(book) && !found.contains(where: { $0.book.key == book.key }) {
                found.append(scored(book, at: try BookIndex.place(ofKey: book.key, in: db)))
            }
        }
        return Array(found.sorted(by: <).prefix(Self.leadersMax))
    }

    /// The match that has a place; nil when there is none any more.
    private func match(at place: Int64) throws(SQLiteError) -> Match? {
        guard let book = try BookTable.find(key: place & BookIndex.keyMask, in: db), filter.matches(book),
            try BookIndex.place(ofKey: book.key, in: db) == place
        else { return nil }
        return scored(book, at: place)
    }
}

extension ReadConnection {
    /// The books that a search finds, the best first.
    func ranked(
        _ search: SearchQuery, _ filter: BookFilter, after cursor: String?, limit: Int, known: Listed<Book>.Known
    ) throws(LecternError) -> Page<Listed<Book>> {
        let cursor = try PageCursor(cursor, of: BookOrder.relevance.list)
        let position = try cursor.map(RankedBooks.Position.init) ?? RankedBooks.Position()
        var time = PageTime(microsecondsMax: pageMicrosecondsMax)
        let (matches, next) = try query { db throws(SQLiteError) in
            try RankedBooks(search, filter, in: db).page(at: position, limit: limit, &time)
        }
        let items = matches.map { match in
            known(match.book.id, match.book.version).map { Listed<Book>.known($0) } ?? .read(match.book)
        }
        return Page(items: items, next: next?.cursor.text)
    }
}
