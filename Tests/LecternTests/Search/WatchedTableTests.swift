import Foundation
import JSON
import SharedByTests
import Testing

@Suite(
    "The table of searches, watched", .ownThreads,
    .enabled(if: SearchTable.isPresent, Comment(rawValue: SearchTable.absent)))
struct WatchedTableTests {
    /// The searches of the table, watched together, and their lists. Short test runs use every third.
    private final class Watched {
        let catalogue: SearchCatalogue
        let queries = SearchTable.queries.enumerated().filter { TestBudget.isLong || $0.offset % 3 == 0 }.map(\.element)
        let streams: EventStreams
        /// The ids in each search's list of the books that this test adds.
        private(set) var lists: [Set<String>]
        private var marks = 0

        init(_ catalogue: SearchCatalogue) {
            self.catalogue = catalogue
            let paths = queries.map { SearchCatalogue.path($0.text) }
            streams = EventStreams(paths, atPort: catalogue.port, token: catalogue.token)
            lists = queries.map { _ in [] }
        }

        /// A year in which none of the catalogue's books was published, which keeps the lists of added books short.
        static let year: Int64 = 9000
        static let ofYear = "&publishedFrom=\(year)&publishedTo=\(year)"

        /// Adds books that every search must list, because they contain its words, and waits until each stream has
        /// received them. Returns the streams' earlier events about other books.
        func received() throws -> [[EventStreams.Event]] {
            marks += 1
            var ids: [String] = []
            var shared: String?
            for query in queries {
                if query.group.hasPrefix("isbn") {
                    let book = try catalogue.client.send("GET", "/v1/books/\(catalogue.id(of: query.books[0]))")
                    ids.append(try catalogue.add(query.text, [], year: nil, isbn: book?["isbn"]?.string))
                } else {
                    let id = try shared ?? catalogue.add("Mark \(marks)", Self.words(of: queries), year: nil)
                    shared = id
                    ids.append(id)
                }
            }
            let isTold = streams.await(ids)
            let received = streams.take()
            if !isTold {
                for (index, events) in received.enumerated() where !events.contains(where: { $0.id == ids[index] }) {
                    Issue.record("\(queries[index].text): the stream says nothing of a book of these very words")
                }
            }
            for id in Set(ids) { try catalogue.remove(id) }
            return received
        }

        /// Returns all words of the queries, in as few texts as a book's limit of names allows.
        private static func words(of queries: [SearchTable.Query]) -> [String] {
            var names = [""]
            for query in queries where !query.group.hasPrefix("isbn") {
                let longer = names[names.count - 1] + " " + query.text
                if longer.unicodeScalars.count > 200 {
                    names.append(query.text)
                } else {
                    names[names.count - 1] = longer
                }
            }
            return names
        }

        /// Changes books, and compares each stream's events with its list before and after.
        func compare(_ phase: String, _ change: () throws -> [String]) throws {
            let known = Set(try change())
            let (received, before) = (try received(), lists)
            lists = try queries.map { try Set(catalogue.find($0.text, Self.ofYear).ids) }
            var wrong: [String] = []
            for (index, query) in queries.enumerated() {
                let expected = [
                    "enter": lists[index].subtracting(before[index]), "leave": before[index].subtracting(lists[index]),
                    "updated": lists[index].intersection(before[index]),
                ]
                for (name, ids) in expected {
                    let output = received[index].filter { $0.name == name && known.contains($0.id) }.map(\.id)
                    if output.count != ids.count || Set(output) != ids {
                        wrong.append("\(query.text) \(name) \(output.count) times, and its list says \(ids.count)")
                    }
                }
            }
            #expect(wrong.isEmpty, "\(phase): \(wrong.prefix(20).joined(separator: "\n"))")
        }
    }

    @Test("The stream of each search sends enter and leave for exactly the changes of its list")
    func agrees() throws {
        let catalogue = try SearchCatalogue()
        let watched = Watched(catalogue)
        let queries = watched.queries
        #expect(watched.streams.awaitSnapshots())
        var found: [[String]] = []
        for (query, snapshot) in zip(queries, watched.streams.snapshots) {
            let all = try catalogue.find(query.text).ids
            #expect(Set(all).count == all.count, "\(query.text): a book is on two pages")
            let isListed = snapshot.map { Set(all).isSuperset(of: $0) }
            #expect(isListed == true, "\(query.text): the snapshot has what the list has not")
            found.append(all)
        }

        let keys = Set(queries.map { $0.books[0] }).sorted()
        let originals = try keys.map {
            try #require(try catalogue.client.send("GET", "/v1/books/\(catalogue.id(of: $0))"))
        }
        var copies: [String] = []
        try watched.compare("another edition of each book comes") {
            copies = try originals.map { book in
                let authors = book["authors"]?.elements.compactMap(\.string) ?? []
                return try catalogue.add(
                    book["title"]?.string ?? "", authors, year: Watched.year, isbn: book["isbn"]?.string)
            }
            return copies
        }
        let copyOf = Dictionary(uniqueKeysWithValues: zip(keys, copies))
        for (index, query) in queries.enumerated() where try found[index].contains(catalogue.id(of: query.books[0])) {
            let copy = try #require(copyOf[query.books[0]])
            #expect(watched.lists[index].contains(copy), "\(query.text)")
        }
        let entered = watched.lists
        try watched.compare("their titles become another") {
            for id in copies { try patch(id, title: "Qqqqq Zzzzz", catalogue) }
            return copies
        }
        #expect(zip(watched.lists, entered).contains { $0.count < $1.count })
        try watched.compare("and are again what they were") {
            for (id, book) in zip(copies, originals) { try patch(id, title: book["title"]?.string ?? "", catalogue) }
            return copies
        }
        #expect(watched.lists == entered)
        try watched.compare("and they go") {
            for id in copies { try catalogue.remove(id) }
            return copies
        }
        #expect(watched.lists.allSatisfy { $0.isEmpty })
        for (query, ids) in zip(queries, found) {
            let again = try catalogue.find(query.text).ids
            #expect(again.sorted() == ids.sorted(), "\(query.text)")
        }
    }

    private func patch(_ id: String, title: String, _ catalogue: SearchCatalogue) throws {
        var json = JSONWriter()
        json.beginObject()
        json.name("title")
        json.string(title)
        json.endObject()
        let answer = try catalogue.client.send("PATCH", "/v1/books/\(id)", String(decoding: json.bytes, as: UTF8.self))
        #expect(answer != nil)
    }
}
