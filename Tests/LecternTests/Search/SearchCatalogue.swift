import API
import Foundation
import JSON
import Model
import Outbound
import SharedByTests
import Store
import Testing

@testable import lectern

/// A server whose catalogue contains the books of the table: goodbooks as imported by `lectern import`, the others
/// posted.
final class SearchCatalogue {
    private let service: Service
    let port: Int
    let token: String
    let client: Client
    private let data = TestDirectory.memory.path("table")
    private var ids: [String: String] = [:]

    init() throws {
        try Self.goodbooks.copy(into: data)
        token = try Binary.run(["token", "create", "--name", "t", "--data", data]).out.trimmingCharacters(
            in: .whitespacesAndNewlines)
        var configuration = Service.Configuration(directory: data)
        configuration.logLevel = .error
        configuration.store.isDurable = false
        // The tests measure the results of searches, not their time.
        configuration.store.pageMicrosecondsMax = 60_000_000
        configuration.store.readMillisecondsMax = 0
        service = try Service(configuration)
        port = Int(try service.listen(tcp: "127.0.0.1", port: 0))
        client = Client(port: port, token: token)
        try service.start()
        for book in SearchTable.books {
            ids[book.key] = try add(
                book.title, book.authors, year: book.year, language: book.language, isbn: book.isbn)
        }
    }

    /// A database with goodbooks, which a debug build takes a while to import.
    private static let goodbooks = DatabaseTemplate { directory in
        let imported = try Binary.run(["import", "books", SearchTable.goodbooks, "--data", directory])
        #expect(imported.out.hasPrefix("10000 rows: 10000 created"), "\(imported.out)")
    }

    deinit {
        service.drain(deadlineSeconds: 0)
        service.wait()
        try? FileManager.default.removeItem(atPath: data)
    }

    func id(of key: String) throws -> String {
        if let id = ids[key] { return id }
        return CSVBookColumns.id(of: "goodbooks:\(try #require(Int(key)))").description
    }

    func add(
        _ title: String, _ authors: [String], year: Int64?, language: String? = nil, isbn: String? = nil
    ) throws -> String {
        var json = JSONWriter()
        json.beginObject()
        json.name("title")
        json.string(title)
        json.name("authors")
        json.value(authors)
        if let year {
            json.name("publishedYear")
            json.integer(year)
        }
        for (name, text) in [("language", language), ("isbn", isbn)] {
            guard let text else { continue }
            json.name(name)
            json.string(text)
        }
        json.endObject()
        return try #require(client.write("/v1/books", String(decoding: json.bytes, as: UTF8.self)), "\(title)")
    }

    func remove(_ id: String) throws {
        let status = try client.exchange("DELETE", "/v1/books/\(id)").status
        #expect(status == 204)
    }

    /// Returns the path of a search.
    static func path(_ text: String, _ more: String = "") -> String {
        let encoded = text.utf8.map { byte in
            let isPlain = (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            return isPlain
                ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        return "/v1/books?q=" + encoded.joined() + more
    }

    /// Returns the results of a search, page by page up to a number of them, and its suggestion.
    func find(
        _ text: String, _ filter: String = "", atMost count: Int = .max, inPagesOf limit: Int = 100
    ) throws -> (ids: [String], suggestion: String?) {
        var ids: [String] = []
        var cursor: String?
        while true {
            let more = filter + "&limit=\(min(count, limit))" + (cursor.map { "&cursor=\($0)" } ?? "")
            let page = try #require(try client.send("GET", Self.path(text, more)), "\(text)")
            ids += page["items"]?.elements.compactMap { $0["id"]?.string } ?? []
            cursor = page["next"]?.string
            guard cursor != nil, ids.count < count else {
                return (Array(ids.prefix(count)), page["suggestion"]?.string)
            }
        }
    }
}
