import API
import Foundation
import JSON
import SharedByTests
import Store
import Testing

@Suite("An upgrade that renews the search index", .serialized, .ownThreads)
struct RenewalTests {
    @Test(
        "During the renewal of the search index everything is served but searches and lists by title, which show its progress"
    )
    func served() throws {
        let service = try TestService()
        let book = try service.make("/v1/books", "{\"title\":\"Kindred\",\"authors\":[\"Octavia Butler\"]}")
        let club = try service.make("/v1/clubs", "{\"name\":\"Tuesdays\"}")
        let note = try service.make("/v1/notes", "{\"book\":\"\(book)\",\"club\":\"\(club)\",\"body\":\"The rope\"}")
        let before = try service.head()
        try service.execute("DELETE FROM meta WHERE name = 'fold'")
        try service.restart { $0.store.renewalRowsMax = 0 }
        // From here on searches find another list, so no client can resume its old one.
        let head = try service.head()
        #expect(head.prefix(8) != before.prefix(8))

        let waiting = [
            "/v1/books", "/v1/books?sort=-title", "/v1/books?sort=author", "/v1/books?q=kin", "/v1/books?author=butler",
            "/v1/notes?q=rope",
            "/v1/books?q=kin&sort=createdAt", "/v1/clubs/\(club)/notes?q=rope",
        ]
        for path in waiting {
            let answer = try service.send("GET", path)
            #expect(answer.status == 503 && answer["type"]?.string == "/problems/search-renewing", "\(path)")
            #expect(Int(answer.fields["retry-after"] ?? "") == 1, "\(path)")
            #expect(answer["detail"]?.string?.contains(" 0 % ") == true, "\(answer.text)")
        }
        let served = [
            "/v1/books?sort=createdAt", "/v1/books?sort=-updatedAt", "/v1/books?sort=publishedYear&language=en",
            "/v1/books?isbn=9780306406157&sort=createdAt", "/v1/books/\(book)", "/v1/notes", "/v1/notes/\(note)",
            "/v1/clubs/\(club)/notes", "/v1/cards", "/v1/shelves", "/v1/readings", "/v1/changes?after=\(head)",
        ]
        for path in served { #expect(try service.send("GET", path).status == 200, "\(path)") }
        #expect(try service.send("GET", "/healthz", token: "").text.contains("\"search\":\"renewing\""))
        #expect(try service.send("GET", "/metrics").text.contains("\nlectern_search_index_percent 0\n"))

        let fresh = try Watcher(service, "/v1/books?q=dawn")
        #expect(fresh.wait { $0.isEnded || !$0.status.isEmpty } && fresh.status == "HTTP/1.1 503")
        let old = try Watcher(service, "/v1/books?q=dawn", lastEventID: before)
        #expect(old.wait { $0.isEnded || !$0.status.isEmpty } && old.status == "HTTP/1.1 503")
        let resumed = try Watcher(service, "/v1/books?q=dawn", lastEventID: head)
        let dawn = try service.make("/v1/books", "{\"title\":\"Dawn\"}")
        #expect(resumed.wait(count: 1) && resumed.names == ["enter"])

        try service.restart()
        #expect(try eventually { try service.send("GET", "/healthz", token: "").text.contains("\"search\":\"ok\"") })
        for path in waiting { #expect(try service.send("GET", path).status == 200, "\(path)") }
        #expect(try service.send("GET", "/v1/books?q=dawn")["items"]?.elements.map { $0["id"]?.string } == [dawn])
        #expect(try service.send("GET", "/metrics").text.contains("\nlectern_search_index_percent 100\n"))
    }
}
