import Model
import SharedByTests
import Testing

@testable import Store

/// Tests that no read costs more than its maximum result.
@Suite("Bounded reads")
struct BoundTests {
    private static let filters: [BookFilter] = (0..<16).map { bits in
        var filter = BookFilter()
        if bits & 1 != 0 { filter.search = SearchQuery("a", begins: true) }
        if bits & 2 != 0 { filter.language = "qq" }
        if bits & 4 != 0 { filter.publishedFrom = 2000 }
        if bits & 8 != 0 { filter.publishedTo = 3000 }
        return filter
    }

    @Test("Every list of books uses an index of a selective filter or of the order")
    func plans() throws {
        let fixture = try StoreFixture()
        try fixture.reads().query { db throws(SQLiteError) in
            for filter in Self.filters {
                var starts: [(BookSearch.Start, String)] = [(.order, "")]
                if filter.search != nil { starts.append((.words, "VIRTUAL TABLE")) }
                if filter.language != nil { starts.append((.language, "SEARCH books USING INDEX books_language")) }
                if filter.hasYears { starts.append((.years, "SEARCH books USING INDEX books_published_year")) }
                for order in BookOrder.allCases {
                    for bits in 0..<4 {
                        let (descending, isResumed) = (bits & 1 != 0, bits & 2 != 0)
                        for (start, index) in starts {
                            let sql = BookQueryShape(
                                filter, order, descending: descending, isResumed: isResumed, start: start
                            ).sql
                            let plan = try db.statement(once: "EXPLAIN QUERY PLAN " + sql).all { $0.text(3) }
                                .joined(separator: "; ")
                            #expect(plan.contains(index), "\(sql)")
                            guard start == .order else { continue }
                            #expect(!plan.contains("TEMP B-TREE"), "\(sql)")
                            #expect(!isResumed || plan.contains("SEARCH books"), "\(sql)")
                        }
                    }
                }
            }
        }
    }

    @Test("A list starts with the index of a field on which it has a condition, also if it is another table's")
    func conditions() throws {
        let reads = try StoreFixture().reads()
        func starts<Row>(_ list: SortedTableList<Row>, _ filter: ListFilter, _ index: String) throws -> Bool {
            let sql = list.texts.text(filter.conditions.map(\.shape)).text
            return try reads.query { db throws(SQLiteError) in
                try db.statement(once: "EXPLAIN QUERY PLAN " + sql).all { $0.text(3) }
            }.contains { $0.contains("SEARCH \(index)") }
        }
        let (id, isCurrent) = (ResourceID.zero, ListFilter.having("isCurrent", true))
        let book = ListFilter.having("book", id)
        #expect(try starts(ReadConnection.editions, book, "books USING COVERING INDEX sqlite_autoindex_books_1"))
        #expect(try starts(ReadConnection.ratings, book, "books USING COVERING INDEX sqlite_autoindex_books_1"))
        #expect(try starts(ReadConnection.runs, book.having("state", ClubRunState.read), "runs USING INDEX runs_club"))
        #expect(try starts(ReadConnection.milestones, book, "runs USING INDEX runs_club (club=? AND book=?)"))
        #expect(try starts(ReadConnection.standings, isCurrent, "runs USING INDEX runs_current"))
        #expect(try starts(ReadConnection.attendances, .having("meeting", id), "meetings USING INDEX"))
        #expect(try starts(ReadConnection.calendars, .having("club", id), "clubs USING COVERING INDEX"))
    }

    @Test("A page of a run's standings or of a meeting's attendances is read in the order of an index")
    func sortedPages() throws {
        let reads = try StoreFixture().reads()
        let (run, meeting) = (ListFilter.having("run", ResourceID.zero), ListFilter.having("meeting", ResourceID.zero))
        for (texts, filter, index) in [
            (ReadConnection.standings.texts, run, "standings USING INDEX standings_run (run=? AND rowid>?)"),
            (ReadConnection.standings.texts, run.having("isCurrent", true), "standings USING INDEX standings_run"),
            (ReadConnection.attendances.texts, meeting, "attendances USING INDEX attendances_meeting"),
        ] {
            let plan = try plan(texts.text(filter.conditions.map(\.shape)), in: reads)
            #expect(plan.contains { $0.hasPrefix("SEARCH \(index)") } && !isSorted(plan), "\(plan)")
        }
    }

    @Test("A page of notes visits the newest of a club, an author or a thread, also if few of them pass the filter")
    func pagesOfNotes() throws {
        let reads = try StoreFixture().reads()
        var filter = NoteFilter()
        (filter.book, filter.run, filter.club) = (.zero, .zero, .zero)
        filter.demand("about", ResourceID.zero)
        filter.demand("kind", NoteKind.quote)
        for (isOfClub, thread, index) in [
            (true, nil, "notes_club (club=? AND rowid<?)"), (false, nil, "notes_author (author=? AND rowid<?)"),
            (true, .zero, "notes_thread (thread=? AND rowid<?)"),
        ] as [(Bool, ResourceID?, String)] {
            filter.thread = thread
            for texts in [NoteQueryShape.texts, NoteQueryShape.extents] {
                let plan = try plan(texts.text(NoteQueryShape(filter, isOfClub: isOfClub)), in: reads)
                let first = plan.first { $0.hasPrefix("SEARCH") }
                #expect(first == "SEARCH notes USING COVERING INDEX \(index)" && !isSorted(plan), "\(plan)")
            }
        }
        let ofMeeting = try plan(ReadConnection.notesOfMeeting, in: reads)
        #expect(ofMeeting.contains("SEARCH notes USING INDEX notes_share (club=? AND book=?)"), "\(ofMeeting)")
        #expect(!ofMeeting.contains { $0.contains("notes_book") || $0.contains("notes_club") }, "\(ofMeeting)")
        #expect(try !isSorted(plan(ReadConnection.reactions, in: reads)))
    }

    private func plan(_ sql: SQLText, in reads: ReadConnection) throws -> [String] {
        try reads.query { db throws(SQLiteError) in
            try db.statement(once: "EXPLAIN QUERY PLAN " + sql.text).all { $0.text(3) }
        }
    }

    private func isSorted(_ plan: [String]) -> Bool { plan.contains { $0.contains("TEMP B-TREE") } }

    @Test("Queries for one book start with the rows of the reader or of their clubs")
    func ofBook() throws {
        let reads = try StoreFixture().reads()
        let readings = ReadingQueryShape(.having("book", ResourceID.zero), areCards: false)
        for (sql, index) in [
            (ReadingQueryShape.texts.text(readings), "listed USING COVERING INDEX readings_book (book=? AND reader=?)"),
            (ReadConnection.milestonesOfReader, "runs USING INDEX runs_club (club=? AND book=?)"),
            (ReadConnection.meetingsOfReader, "meetings USING INDEX meetings_club (club=?)"),
            (StoredTable.onlyUseOfBook, "shelf_books USING INDEX shelf_books_book (book=?)"),
        ] { #expect(try plan(sql, in: reads).contains("SEARCH \(index)"), "\(index)") }
    }

    @Test("A list of books starts with the most selective filter, in every order")
    func starts() throws {
        let fixture = try StoreFixture()
        let pending = try (0..<Int(BookSearch.commonMin)).map { index in
            let body = "{\"title\": \"t\(index)\", \"language\": \"en\", \"publishedYear\": 1990}"
            return fixture.submit(
                Command.createBook(try .whole(body)).by(try fixture.administrator))
        }
        for answer in pending { _ = try answer.wait().get() }
        let reads = try fixture.reads()
        func start(_ change: (inout BookFilter) -> Void) throws -> BookSearch.Start {
            var changed = BookFilter()
            change(&changed)
            let filter = changed
            return try reads.query { db throws(SQLiteError) in
                try BookSearch.start(filter, BookSearch.match(filter), in: db)
            }
        }
        #expect(try start { $0.language = "en" } == .order)
        #expect(try start { $0.language = "qq" } == .language)
        #expect(try start { $0.publishedFrom = 1990 } == .order)
        #expect(try start { $0.publishedFrom = 1991 } == .years)
        #expect(try start { $0.publishedTo = 1989 } == .years)
        #expect(
            try start {
                $0.language = "en"
                $0.publishedFrom = 2000
            } == .years)
    }

    @Test("A search in a club's notes reads no words of other clubs, nor others' in one's own")
    func notes() throws {
        let fixture = try StoreFixture()
        let (ada, ben) = (try fixture.addReader("Ada"), try fixture.addReader("Ben"))
        let book = try fixture.addBook()
        let clubs = try (0..<12).map { _ in try fixture.addClub(ada) }
        for club in clubs { try fixture.addNote(book, club, "The rope!", ada) }
        try fixture.addNote(book, nil, "Rope, 2 ropes", ada)
        try fixture.addNote(book, nil, "ropes", ben)
        let reads = try fixture.reads()
        let query = try #require(SearchQuery("rop", begins: true))
        func matches(_ club: Int64?, _ viewer: Viewer) throws -> Int64? {
            let match = NoteTable.match(query, club: club, author: viewer.readerKey)
            return try reads.query { db throws(SQLiteError) in
                try db.statement("SELECT count(*) FROM notes_words WHERE notes_words MATCH ?1").bind(match).first {
                    $0.integer(0)
                }
            }
        }
        for club in clubs {
            let key = try #require(try reads.club(club, of: ada.readerKey)?.club.key)
            #expect(try matches(key, ada) == 1)
        }
        #expect(try matches(nil, ada) == 13)
        #expect(try matches(nil, ben) == 1)
    }

    @Test("A read that takes too long ends with the limit's name, and the connection stays usable")
    func deadline() throws {
        var configuration = StoreFixture.configuration
        configuration.readMillisecondsMax = 20
        let fixture = try StoreFixture(configuration)
        let reads = try fixture.reads()
        for _ in 0..<2 {
            let error = #expect(throws: RequestError.self) {
                try reads.read { () throws(RequestError) in
                    _ = try reads.head()
                    return try reads.query { db throws(SQLiteError) in
                        try db.number(
                            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n")
                    }
                }
            }
            guard case .unavailable(.readTooLong, let why, _) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(why.contains("readMillisecondsMax (20)"))
            #expect(try reads.head() > 0 && !reads.db.isInTransaction)
        }
    }
}
