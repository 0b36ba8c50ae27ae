import Foundation
import JSON
import Model
import SharedByTests
import Synchronization
import Testing

@testable import Store

@Suite("The store")
struct StoreTests {
    private static func patch(_ json: String) throws -> BookPatch {
        try BookPatch(JSONDocument(Array(json.utf8)).root, form: .whole)
    }

    @Test("The log can be read backwards: every resource has its value as of every change")
    func reversible() throws {
        let test = try StoreFixture()
        let viewer = try test.administrator
        var random = SeededGenerator(seed: 7)
        var books: [ResourceID] = []
        for step in 0..<TestBudget.of(100, long: 300) {
            let now = Instant.now
            if books.isEmpty || random.next() % 5 == 0 {
                let id = ResourceID(madeAt: now)
                books.append(id)
                try test.run(
                    Command.createBook(Self.patch("{\"title\":\"\(step)\"}")).by(viewer, at: now, id: id))
            } else if random.next() % 8 == 0 {
                let id = books[Int(random.next() % UInt64(books.count))]
                _ = try? test.run(Command.deleteBook(id).by(viewer, at: now))
            } else {
                let id = books[Int(random.next() % UInt64(books.count))]
                let patch = try Self.patch(
                    "{\"title\":\"\(random.next() % 4)\",\"pageCount\":\(random.next() % 3 + 1)}")
                let isThere = try test.store.makeReadConnection().book(id) != nil
                try test.run(
                    Command.putBook(id, patch).by(
                        viewer, at: now, if: Precondition(ifMatch: isThere ? .any : nil)))
            }
        }
        let reads = try test.store.makeReadConnection()
        var then: [ResourceID: [UInt8]] = [:]
        for change in test.takeChanges() {
            then[change.id] = change.value
            for id in books {
                let value = try reads.value(of: .book, id, scope: .everyone, asOf: change.seq)
                #expect(value == then[id])
            }
        }
    }

    @Test("A book filter in memory and the database find the same books")
    func filters() throws {
        let test = try TestStore()
        var random = SeededGenerator(seed: 11)
        let words = ["García", "garcia", "Ōe", "oe", "O'Brien", "日本", "naïve", "Straße", "x-ray", "2001", "the"]
        func some(_ count: UInt64) -> String {
            (0..<random.next() % count + 1).map { _ in words[Int(random.next() % 11)] }.joined(separator: " ")
        }
        var books: [Book] = []
        for _ in 0..<200 {
            var book = Book(id: ResourceID(madeAt: .now), title: some(4), authors: [some(2)], createdAt: .now)
            book.language = ["en", "EN", "fr"][Int(random.next() % 3)]
            book.publishedYear = random.next() % 4 == 0 ? nil : Int32(random.next() % 5) + 1990
            books.append(book)
            let json =
                "{\"title\":\"\(book.title)\",\"authors\":[\"\(book.authors[0])\"],\"language\":\"\(book.language!)\",\"publishedYear\":\(book.publishedYear.map(String.init) ?? "null")}"
            try test.run(Command.createBook(Self.patch(json)).by(test.viewer, id: book.id))
        }
        let reads = try test.store.makeReadConnection()
        for round in 0..<200 {
            var filter = BookFilter()
            if round % 2 == 0 { filter.search = SearchQuery(String(some(2).dropLast(round % 3)), begins: true) }
            if round % 3 == 0 { filter.author = SearchQuery(some(1), begins: false) }
            if round % 5 == 0 { filter.language = "en" }
            if round % 7 == 0 { filter.publishedFrom = 1992 }
            if round % 11 == 0 { filter.publishedTo = 1993 }
            var found: [ResourceID] = []
            var next: String?
            repeat {
                let page = try reads.books(filter, order: .createdAt, descending: false, after: next, limit: 99) {
                    _, _ in nil
                }
                found += page.items.compactMap { item in if case .read(let book) = item { book.id } else { nil } }
                next = page.next
            } while next != nil
            #expect(found == books.filter { filter.matches($0) }.map(\.id))
        }
    }

    @Test("A refused command is refused alone")
    func refusedAlone() throws {
        let test = try TestStore()
        let id = ResourceID(madeAt: .now)
        let results = Mutex<[Bool]>([])
        let done = Semaphore()
        for number in 0..<10 {
            // A repeated id violates a constraint in the middle of a batch.
            let book = number < 2 ? id : ResourceID(madeAt: .now)
            let command = Command.createBook(try Self.patch("{\"title\":\"\(number)\"}")).by(test.viewer, id: book)
            _ = test.store.submit(
                SubmittedCommand(command) { result in
                    let count = results.withLock { results in
                        results.append((try? result.get()) != nil)
                        return results.count
                    }
                    if count == 10 { done.signal() }
                })
        }
        done.wait()
        #expect(results.withLock { $0.filter { $0 }.count } == 9)
        let reads = try test.store.makeReadConnection()
        let log = try reads.changes(after: 0, seenBy: .max, limit: 100).changes.map(\.seq)
        #expect(log == Array(2...10))
    }

    @Test("A directory has one store at a time, and the error names its process")
    func locked() throws {
        let test = try TestStore()
        #expect(throws: StoreError.inUse(directory: test.directory, pid: getpid())) {
            try Store.open(directory: test.directory)
        }
        test.store.close()
        try Store.open(directory: test.directory).close()
    }

    @Test("A database of a newer program is refused with both versions")
    func tooNew() throws {
        let test = try TestStore()
        test.store.close()
        try TestDatabase.execute(test.directory + "/lectern.sqlite", "PRAGMA user_version = 99")
        #expect(throws: StoreError.tooNew(found: 99, known: DatabaseSchema.newest)) {
            try Store.open(directory: test.directory)
        }
    }

    @Test("A damaged file is refused, with advice")
    func damaged() throws {
        let test = try TestStore()
        test.store.close()
        let file = try #require(FileHandle(forWritingAtPath: test.directory + "/lectern.sqlite"))
        try file.seek(toOffset: 0)
        try file.write(contentsOf: Data(repeating: 0x55, count: 8192))
        try file.close()
        #expect {
            try Store.open(directory: test.directory)
        } throws: { "\($0)".contains("is damaged") && "\($0)".contains("restore a backup") }
    }

    @Test("Retention deletes only the log's beginning, and the floor follows")
    func retention() throws {
        let test = try TestStore { $0.retentionCountMax = 5 }
        for number in 0..<20 {
            try test.run(
                Command.createBook(Self.patch("{\"title\":\"\(number)\"}")).by(test.viewer))
        }
        let reads = try test.store.makeReadConnection()
        _ = try eventually { try reads.floor() >= 16 }
        #expect(try reads.floor() == 16 && reads.head() == 21)
        #expect(try reads.changes(after: 16, seenBy: .max, limit: 100).changes.map(\.seq) == Array(17...21))
    }
}
