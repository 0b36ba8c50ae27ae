import JSON
import Model
import SharedByTests
import Store
import Testing

@Suite("The change log")
struct ChangeLogTests {
    @Test("Changes read from the log equal the published ones", arguments: [1, 2, 3])
    func readBack(_ seed: UInt64) throws {
        var story = try Story(seed: seed)
        try story.deliver(commands: 150)
        let published = story.fixture.takeChanges()
        let reads = try story.fixture.reads()
        for viewer in story.viewers {
            let expected = published.filter { $0.scope == .everyone || $0.scope == viewer.scope }
            var found: [Change] = []
            var cursor: Int64 = 0
            while true {
                let page = try reads.changes(after: cursor, seenBy: viewer.readerKey, limit: 7)
                found += page.changes
                cursor = page.through
                if page.isEnd { break }
            }
            found.removeAll { change in !published.contains { $0.seq == change.seq } }
            #expect(found.map(\.summary) == expected.map(\.summary))
            #expect(found.map(\.seq) == expected.map(\.seq))
            #expect(found.map(\.transaction) == expected.map(\.transaction))
            #expect(found.map(\.at) == expected.map(\.at))
            #expect(found.map(\.value.text) == expected.map(\.value.text))
            #expect(found.map(\.before.text) == expected.map(\.before.text))
        }
    }

    @Test(
        "Every resource is found as it was after every change",
        arguments: TestBudget.isLong ? [11, 12, 13, 14] : [11, 12])
    func reversible(_ seed: UInt64) throws {
        var story = try Story(seed: seed)
        try story.deliver(commands: 120)
        let published = story.fixture.takeChanges()
        let reads = try story.fixture.reads()
        let head = try reads.head()
        struct Name: Hashable {
            let kind: ResourceKind
            let id: ResourceID
            let scope: ChangeScope
        }
        // Entries that were deleted with their reading have no end in the log, and are omitted.
        let ended = Set(
            published.filter { $0.operation == .deleted }.map { Name(kind: $0.kind, id: $0.id, scope: $0.scope) })
        var histories: [Name: [Change]] = [:]
        for change in published {
            histories[Name(kind: change.kind, id: change.id, scope: change.scope), default: []].append(change)
        }
        let start = try #require(published.first?.seq) - 1
        var looks = 0
        for (name, history) in histories {
            if name.kind == .entry, !ended.contains(name), try reads.entry(name.id) == nil { continue }
            var place = 0
            var expected: [UInt8]?
            for seq in start...head {
                while place < history.count, history[place].seq <= seq {
                    expected = history[place].value
                    place += 1
                }
                let found = try reads.value(of: name.kind, name.id, scope: name.scope, asOf: seq)
                try #require(found.text == expected.text, "\(name.kind) as of \(seq)")
                looks += 1
            }
        }
        #expect(looks > 1000)
    }

    @Test("A page of two scopes is in order, complete and within its limit")
    func twoScopes() throws {
        var story = try Story(seed: 5)
        try story.deliver(commands: 150)
        let reads = try story.fixture.reads()
        let reader = story.viewers[0].readerKey
        let all = try reads.changes(after: 0, seenBy: reader, limit: 100_000)
        #expect(all.isEnd)
        #expect(all.through == (try reads.head()))
        for limit in [1, 2, 3, 10] {
            var cursor: Int64 = 0
            var seqs: [Int64] = []
            while true {
                let page = try reads.changes(after: cursor, seenBy: reader, limit: limit)
                #expect(page.changes.count <= limit)
                #expect(page.changes.allSatisfy { $0.seq > cursor && $0.seq <= page.through })
                seqs += page.changes.map(\.seq)
                cursor = page.through
                if page.isEnd { break }
            }
            #expect(seqs == all.changes.map(\.seq))
        }
    }

    @Test("A snapshot does not change while it is read")
    func snapshot() throws {
        let fixture = try StoreFixture()
        let reads = try fixture.reads()
        let id = try fixture.addBook()
        try reads.read { () throws(RequestError) in
            let head = try reads.head()
            do { _ = try fixture.updateBook(id, #"{"title": "Persuasion"}"#) } catch { Issue.record(error) }
            #expect(try reads.head() == head)
            #expect(try reads.book(id)?.title == "Emma")
            #expect(try reads.changes(after: head, seenBy: .max, limit: 10).changes.isEmpty)
        }
        #expect(try reads.book(id)?.title == "Persuasion")
    }

    @Test("The ends of the log are known, also of one scope")
    func ends() throws {
        let fixture = try StoreFixture()
        let reads = try fixture.reads()
        #expect(try reads.floor() == 0)
        #expect(try reads.lastSeq(of: .everyone) == 0)
        _ = try fixture.addBook()
        let head = try reads.head()
        #expect(try reads.lastSeq(of: .everyone) == head)
        let viewer = try fixture.addReader("Ada")
        #expect(try reads.lastSeq(of: .everyone) == head)
        #expect(try reads.lastSeq(of: viewer.scope) == (try reads.head()))
    }
}

extension [UInt8]? {
    /// The bytes as text, for expectations.
    fileprivate var text: String? { map { String(decoding: $0, as: UTF8.self) } }
}
