import JSON
import Model
import Store
import Testing

@Suite("Progress entries")
struct EntryCommandTests {
    let fixture: StoreFixture
    let viewer: Viewer
    let reading: ResourceID

    init() throws {
        fixture = try StoreFixture()
        viewer = try fixture.addReader("Ada")
        reading = try fixture.createReading(try fixture.addBook(), viewer)
        _ = fixture.takeChanges()
    }

    @Test("A command reads a reading's current state, whatever changed it and its book")
    func recent() throws {
        let book = try fixture.addBook()
        let other = try fixture.createReading(book, viewer)
        let page = { [fixture, viewer] (body: String) throws -> Int32? in
            let id = try fixture.record(body, other, viewer).id
            return try fixture.reads().entry(id)?.page
        }
        #expect(try page(#"{"progress": 0.5}"#) == 50)
        // A change of the book does not move a reader's position, but the reader may change editions.
        _ = try fixture.updateBook(book, #"{"pageCount": 300}"#)
        #expect(try page(#"{"progress": 0.5}"#) == 50)
        _ = try fixture.updateReading(other, #"{"pageCount": 200}"#, viewer)
        #expect(try page(#"{"progress": 0.5}"#) == 100)
        // A refused command in a batch that is rolled back has no effect.
        #expect(throws: RequestError.self) { try page(#"{"page": 201}"#) }
        #expect(try page(#"{"page": 200}"#) == 200)
        _ = try fixture.updateReading(other, #"{"isFinished": true}"#, viewer)
        #expect(throws: RequestError.self) { try page(#"{"page": 1}"#) }
        _ = try fixture.updateReading(other, #"{"isFinished": false}"#, viewer)
        let stranger = try fixture.addReader("Ben")
        #expect(throws: RequestError.notFound) { try fixture.record(#"{"progress": 0.5}"#, other, stranger) }
        let found = try #require(try fixture.reads().reading(other))
        #expect(try fixture.updateReading(other, #"{"state": "paused"}"#, viewer).version > found.version)
        _ = try fixture.run(Command.deleteReading(other).by(viewer))
        #expect(throws: RequestError.notFound) { try fixture.record(#"{"progress": 0.5}"#, other, viewer) }
    }

    @Test("An entry and its reading's update are one transaction that only its reader may see")
    func record() throws {
        let outcome = try fixture.record(#"{"page": 43, "note": "so far", "device": "phone"}"#, reading, viewer)
        #expect(outcome.kind == .entry && outcome.effect == .created)
        let commits = fixture.takeCommits()
        #expect(commits.count == 1)
        let changes = commits[0].changes
        #expect(
            changes.map(\.summary) == ["entry created", "reading updated progress,page,latestEntry,latestEntryAt"])
        #expect(Set(changes.map(\.transaction)) == [changes[0].seq])
        #expect(changes.allSatisfy { $0.scope == viewer.scope })
        let entry = try #require(try fixture.reads().entry(outcome.id))
        #expect(entry.encoded() == outcome.value)
        #expect(entry.version == outcome.version && entry.version == changes[0].seq)
        #expect(entry.page == 43 && entry.note == "so far" && entry.device == "phone")
        let shown = try #require(try fixture.reads().reading(reading))
        #expect(shown.latestEntry == entry.id && shown.progress == entry.progress && shown.page == 43)
        #expect(shown.version == changes[1].seq && shown.encoded() == changes[1].value)
    }

    @Test("An entry before the latest one joins the history and changes nothing else")
    func late() throws {
        let latest = try fixture.record(#"{"progress": 0.5, "happenedAt": "2026-03-01T10:00:00Z"}"#, reading, viewer)
        _ = fixture.takeChanges()
        _ = try fixture.record(#"{"progress": 0.2, "happenedAt": "2026-02-01T10:00:00Z"}"#, reading, viewer)
        #expect(fixture.takeChanges().map(\.summary) == ["entry created"])
        #expect(try fixture.reads().reading(reading)?.latestEntry == latest.id)
        let same = try fixture.record(#"{"progress": 0.4, "happenedAt": "2026-03-01T10:00:00Z"}"#, reading, viewer)
        #expect(try fixture.reads().reading(reading)?.latestEntry == same.id, "of two at once the one received later")
    }

    @Test("An entry of a device whose clock is ahead is not later than one received after it")
    func ahead() throws {
        let soon = Instant.now.adding(seconds: 3600)
        let ahead = try fixture.record("{\"progress\": 0.5, \"happenedAt\": \"\(soon)\"}", reading, viewer)
        let stored = try #require(try fixture.reads().entry(ahead.id))
        #expect(stored.happenedAt == stored.receivedAt && stored.receivedAt < soon)
        let between = try fixture.record(#"{"progress": 0.3}"#, reading, viewer)
        #expect(try fixture.reads().reading(reading)?.latestEntry == between.id)
        let last = try fixture.record(#"{"progress": 0.4}"#, reading, viewer)
        #expect(try fixture.reads().reading(reading)?.latestEntry == last.id)
        _ = try fixture.deleteEntry(last.id, reading, viewer)
        #expect(try fixture.reads().reading(reading)?.latestEntry == between.id)
        _ = try fixture.updateReading(reading, #"{"isFinished": true}"#, viewer)
        _ = try fixture.updateReading(reading, #"{"isFinished": false}"#, viewer)
        #expect(try fixture.reads().reading(reading)?.latestEntry == between.id)
    }

    @Test("An entry received while the clock was a century ahead does not hold the progress forever")
    func century() throws {
        let later = Instant.now.adding(seconds: 100 * 31_557_600)
        let draft = try EntryDraft(json("{\"progress\": 0.9, \"happenedAt\": \"\(later)\"}"), now: later)
        _ = try fixture.run(
            Command.createEntry(of: reading, draft).by(viewer, at: later))
        #expect(try fixture.reads().reading(reading)?.latestEntryAt == later)
        let next = try fixture.record(#"{"progress": 0.1}"#, reading, viewer)
        #expect(try fixture.reads().reading(reading)?.latestEntry == next.id)
    }

    @Test("Deleting an entry returns the progress to the entry before it, or to none")
    func undo() throws {
        let first = try fixture.record(#"{"progress": 0.2, "happenedAt": "2026-01-01T10:00:00Z"}"#, reading, viewer)
        let second = try fixture.record(#"{"progress": 0.5, "happenedAt": "2026-02-01T10:00:00Z"}"#, reading, viewer)
        _ = fixture.takeChanges()
        #expect(try fixture.deleteEntry(second.id, reading, viewer).effect == .deleted)
        #expect(
            fixture.takeChanges().map(\.summary) == [
                "entry deleted", "reading updated progress,page,latestEntry,latestEntryAt",
            ])
        #expect(try fixture.reads().reading(reading)?.latestEntry == first.id)
        _ = try fixture.deleteEntry(first.id, reading, viewer)
        let empty = try #require(try fixture.reads().reading(reading))
        #expect(empty.latestEntry == nil && empty.latestEntryAt == nil && empty.progress == .none)
        #expect(throws: RequestError.notFound) { try fixture.deleteEntry(first.id, reading, viewer) }
    }

    @Test("Deleting an entry that is not the latest changes no reading")
    func undoEarlier() throws {
        let first = try fixture.record(#"{"progress": 0.2, "happenedAt": "2026-01-01T10:00:00Z"}"#, reading, viewer)
        _ = try fixture.record(#"{"progress": 0.5, "happenedAt": "2026-02-01T10:00:00Z"}"#, reading, viewer)
        _ = fixture.takeChanges()
        _ = try fixture.deleteEntry(first.id, reading, viewer)
        #expect(fixture.takeChanges().map(\.summary) == ["entry deleted"])
    }

    @Test("A finished reading refuses entries and says how to reopen it; its entries can be deleted")
    func finished() throws {
        let entry = try fixture.record(#"{"progress": 0.2}"#, reading, viewer)
        _ = try fixture.updateReading(reading, #"{"isFinished": true}"#, viewer)
        _ = fixture.takeChanges()
        do {
            _ = try fixture.record(#"{"progress": 0.3}"#, reading, viewer)
            Issue.record("the entry was taken")
        } catch RequestError.refused(.readingFinished, let text) {
            #expect(text.contains("PATCH /v1/readings/\(reading)") && text.contains(#"{"isFinished": false}"#))
        }
        #expect(fixture.takeChanges().isEmpty)
        _ = try fixture.deleteEntry(entry.id, reading, viewer)
        #expect(fixture.takeChanges().map(\.summary) == ["entry deleted", "reading updated latestEntry,latestEntryAt"])
        #expect(try fixture.reads().reading(reading)?.progress == .whole)
    }

    @Test(
        "A finished reading accepts an entry dated before its end: it joins the history, and the reading stays finished"
    )
    func finishedEarlier() throws {
        _ = try fixture.record(#"{"progress": 0.2, "happenedAt": "2026-01-02T10:00:00Z"}"#, reading, viewer)
        _ = try fixture.updateReading(reading, #"{"finishedAt": "2026-02-01T10:00:00Z"}"#, viewer)
        let finished = try #require(try fixture.reads().reading(reading))
        _ = fixture.takeChanges()
        _ = try fixture.record(#"{"progress": 0.1, "happenedAt": "2026-01-01T10:00:00Z"}"#, reading, viewer)
        #expect(fixture.takeChanges().map(\.summary) == ["entry created"])
        #expect(try fixture.reads().reading(reading)?.version == finished.version)
        let last = try fixture.record(#"{"progress": 0.9, "happenedAt": "2026-02-01T10:00:00Z"}"#, reading, viewer)
        #expect(fixture.takeChanges().map(\.summary) == ["entry created", "reading updated latestEntry,latestEntryAt"])
        let reading = try #require(try fixture.reads().reading(reading))
        #expect(reading.latestEntry == last.id && reading.progress == .whole && reading.state == .finished)
        #expect(reading.finishedAt == finished.finishedAt && reading.page == finished.page)
        for late in [#","happenedAt": "2026-02-01T10:00:00.001Z""#, ""] {
            #expect(throws: RequestError.self) { try fixture.record("{\"progress\": 0.3\(late)}", reading.id, viewer) }
        }
        _ = try fixture.updateReading(reading.id, #"{"isFinished": false}"#, viewer)
        #expect(try fixture.reads().reading(reading.id)?.progress == Progress(0.9))
    }

    static let positions: [(book: String, body: String, refusal: Violation?)] = [
        (
            #"{"title": "A"}"#, #"{"page": 3}"#,
            Violation(pointer: "/page", detail: "needs a pageCount, which is not known: send progress instead")
        ),
        (
            #"{"title": "A", "pageCount": 10}"#, #"{"page": 11}"#,
            Violation(pointer: "/page", detail: "must be at most 10, the last page")
        ),
        (#"{"title": "A", "pageCount": 10}"#, #"{"page": 10}"#, nil),
        (#"{"title": "A", "pageCount": 10}"#, #"{"page": 0}"#, nil),
        (#"{"title": "A"}"#, #"{"progress": 1}"#, nil),
    ]

    @Test("A page needs a page count", arguments: positions)
    func page(_ row: (book: String, body: String, refusal: Violation?)) throws {
        let reading = try fixture.createReading(try fixture.addBook(row.book), viewer)
        if let refusal = row.refusal {
            #expect(throws: RequestError.invalid([refusal])) { try fixture.record(row.body, reading, viewer) }
        } else {
            #expect(try fixture.record(row.body, reading, viewer).effect == .created)
        }
    }

    @Test("An entry of another reading is not found in this one")
    func elsewhere() throws {
        let other = try fixture.createReading(try fixture.addBook(), viewer)
        let entry = try fixture.record(#"{"progress": 0.2}"#, other, viewer)
        #expect(throws: RequestError.notFound) { try fixture.deleteEntry(entry.id, reading, viewer) }
    }
}
