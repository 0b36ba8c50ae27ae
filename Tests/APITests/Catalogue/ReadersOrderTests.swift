import API
import Foundation
import JSON
import Testing

@Suite("A search whose books find readers")
struct ReadersOrderTests {
    @Test("Search returns each book once over all pages, also after new readers moved one forward")
    func moved() throws {
        let service = try TestService()
        let books = try (0..<9).map { try service.make("/v1/books", "{\"title\":\"Vrum saga \($0)\"}") }
        func walk() throws -> [String] {
            var (found, cursor) = ([String](), "")
            repeat {
                let page = try service.send("GET", "/v1/books?q=vrum&limit=2&cursor=\(cursor)")
                found += page["items"]?.elements.compactMap { $0["id"]?.string } ?? []
                cursor = page["next"]?.string ?? ""
            } while !cursor.isEmpty
            return found
        }
        #expect(try walk() == books)
        let tag = try service.send("GET", "/v1/books?q=vrum&limit=2").fields["etag"]
        for index in 0..<4 {
            let reader = try service.reader("R\(index)")
            _ = try service.make("/v1/readings", "{\"book\":\"\(books[6])\"}", token: reader)
        }
        #expect(try walk() == [books[6]] + books[..<6] + books[7...])
        #expect(try service.send("GET", "/v1/books?q=vrum&limit=2").fields["etag"] != tag)
    }
}
