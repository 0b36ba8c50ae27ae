import API
import Foundation
import JSON
import SharedByTests
import Store
import Testing

/// Tests of the permission to change shared books, and of what such changes must not affect.
@Suite("The catalogue")
struct CatalogueTests {
    /// A way in which a reader uses a book.
    enum Use: CaseIterable { case reading, note, run, meeting, clubNote }

    private func librarian(_ service: TestService) throws -> String {
        let token = try service.reader("Lena")
        let id = try service.send("GET", "/v1/me", token: token)["id"]?.string ?? ""
        let answer = try service.send("PATCH", "/v1/readers/\(id)", "{\"role\":\"librarian\"}")
        #expect(answer.status == 200 && answer["role"]?.string == "librarian")
        return token
    }

    private func use(_ book: String, _ use: Use, _ service: TestService, _ token: String) throws {
        let given = "\"book\":\"\(book)\""
        let club =
            [.reading, .note].contains(use) ? "" : try service.make("/v1/clubs", "{\"name\":\"x\"}", token: token)
        switch use {
        case .reading: _ = try service.make("/v1/readings", "{\(given)}", token: token)
        case .note: _ = try service.make("/v1/notes", "{\(given),\"body\":\"x\"}", token: token)
        case .run:
            _ = try service.make("/v1/clubs/\(club)/runs", "{\(given)}", token: token)
        case .meeting:
            let body = "{\"startsAt\":\"2090-01-01T00:00:00Z\",\(given)}"
            _ = try service.make("/v1/clubs/\(club)/meetings", body, token: token)
        case .clubNote:
            _ = try service.make("/v1/notes", "{\(given),\"club\":\"\(club)\",\"body\":\"x\"}", token: token)
        }
    }

    @Test(
        "The reader who added a book can change it while no other reader uses it, and the response does not tell who uses it"
    )
    func curated() throws {
        let service = try TestService()
        let (ada, ben, lena) = (try service.reader("Ada"), try service.reader("Ben"), try librarian(service))
        func refusals(_ book: String, _ token: String) throws -> Set<String> {
            let start = try service.head()
            var texts: Set<String> = []
            for (method, body) in [
                ("PATCH", "{\"title\":\"Defaced\"}"), ("PUT", "{\"title\":\"Defaced\"}"), ("DELETE", nil),
            ] {
                let answer = try service.send(method, "/v1/books/\(book)", body, token: token)
                #expect(answer.status == 403 && answer["type"]?.string == "/problems/librarians-only")
                texts.insert(answer.given)
            }
            #expect(try service.events(after: start) == [])
            return texts
        }
        let scenario = try service.make("/v1/books", "{\"title\":\"The house's\"}")
        let received = try refusals(scenario, ada)
        #expect(received.count == 1)
        var inUse: Set<String> = []
        for way in Use.allCases {
            let book = try service.make("/v1/books", "{\"title\":\"One\",\"pageCount\":10}", token: ada)
            let path = "/v1/books/\(book)"
            #expect(try refusals(book, ben) == received)
            #expect(try service.send("PATCH", path, "{\"title\":\"Two\"}", token: ada).status == 200)
            try use(book, way, service, ben)
            #expect(try refusals(book, ada) == received, "\(way)")
            #expect(try refusals(book, ben) == received, "\(way)")
            // A patch without a difference changes nothing.
            let same = try service.send("PATCH", path, "{\"title\":\"Two\"}", token: ben)
            #expect(same.status == 200 && same.fields["lectern-unchanged"] == "true")
            for token in [lena, service.token] {
                let patch = try service.send("PATCH", path, "{\"title\":\"\(token.suffix(5))\"}", token: token)
                #expect(patch.status == 200)
                let delete = try service.send("DELETE", path, token: token)
                #expect(delete.status == 409)
                inUse.insert(delete.given)
            }
        }
        #expect(inUse.count == 1)
        let own = try service.make("/v1/books", "{\"title\":\"One\"}", token: ada)
        for way in Use.allCases { try use(own, way, service, ada) }
        #expect(try service.send("PATCH", "/v1/books/\(own)", "{\"title\":\"Two\"}", token: ada).status == 200)
        #expect(try inUse.contains(service.send("DELETE", "/v1/books/\(own)", token: ada).given))
        // Editions and knowledge of others leave it to the reader who added it; knowledge keeps it from deletion.
        let known = try service.make("/v1/books", "{\"title\":\"One\"}", token: ada)
        let edition = try service.make("/v1/books/\(known)/editions", "{\"format\":\"ebook\"}", token: ben)
        #expect(try service.send("PATCH", "/v1/books/\(known)", "{\"title\":\"Two\"}", token: ada).status == 200)
        #expect(try service.send("PATCH", "/v1/editions/\(edition)", "{\"name\":\"x\"}", token: ada).status == 200)
        #expect(try service.send("PUT", "/v1/books/\(known)/knowledge", "{}", token: ben).status == 201)
        #expect(try service.send("PATCH", "/v1/books/\(known)", "{\"title\":\"Six\"}", token: ada).status == 200)
        #expect(try inUse.contains(service.send("DELETE", "/v1/books/\(known)", token: ada).given))
        let unused = try service.make("/v1/books", "{\"title\":\"One\"}", token: ada)
        #expect(try service.send("DELETE", "/v1/books/\(unused)", token: ada).status == 204)
        let put = "/v1/books/0199b7a2-5f0e-7c3a-9d41-6b8e2f10c4d7"
        let made = try service.send("PUT", put, "{\"title\":\"One\"}", token: ada)
        #expect(made.status == 201)
        #expect(try service.send("PUT", put, "{\"title\":\"Two\"}", token: ada).status == 412)
        let condition = ["If-Match: \(made.etag)"]
        #expect(try service.send("PUT", put, "{\"title\":\"Two\"}", token: ada, fields: condition).status == 200)
    }

    @Test("A librarian has the role from its grant, also after a restart, and until its end")
    func librarians() throws {
        let service = try TestService()
        let book = try service.make("/v1/books", "{\"title\":\"One\"}")
        let lena = try librarian(service)
        try service.restart()
        let me = try service.send("GET", "/v1/me", token: lena)
        #expect(me["role"]?.string == "librarian")
        let path = "/v1/books/\(book)"
        #expect(try service.send("PATCH", path, "{\"title\":\"Two\"}", token: lena).status == 200)
        #expect(try service.send("GET", "/v1/readers", token: lena).status == 403)
        let reader = "/v1/readers/\(me["id"]?.string ?? "")"
        #expect(try service.send("PATCH", reader, "{\"role\":\"reader\"}", token: lena).status == 403)
        #expect(try service.send("PATCH", reader, "{\"role\":\"reader\"}").status == 200)
        #expect(try service.send("PATCH", path, "{\"title\":\"Three\"}", token: lena).status == 403)
        let made = try service.send("POST", "/v1/readers", "{\"name\":\"Mia\",\"role\":\"librarian\"}")
        #expect(made.status == 201 && made["role"]?.string == "librarian")
    }

    @Test("With an open catalogue all readers can change all books")
    func open() throws {
        let service = try TestService { $0.store.isCatalogueOpen = true }
        let ada = try service.reader("Ada")
        let path = "/v1/books/" + (try service.make("/v1/books", "{\"title\":\"One\"}"))
        #expect(try service.send("PATCH", path, "{\"title\":\"Two\"}", token: ada).status == 200)
        #expect(try service.send("DELETE", path, token: ada).status == 204)
    }

    @Test("Changes of books and editions by others move no reading, note or milestone, and unlock no note")
    func editions() throws {
        let story = try ClubStory()
        let service = story.service
        try story.choose()
        let milestones = "/v1/clubs/\(story.club)/milestones"
        let milestone = try service.make(
            milestones, "{\"position\":{\"page\":50},\"dueAt\":\"2090-01-01T00:00:00Z\"}", token: story.ada)
        let meetings = "/v1/clubs/\(story.club)/meetings"
        let meeting = try service.make(
            meetings,
            "{\"startsAt\":\"2090-01-01T00:00:00Z\",\"timeZone\":\"UTC\",\"book\":\"\(story.book)\",\"position\":{\"page\":50}}",
            token: story.ada)
        let entries = "/v1/readings/\(story.reading)/entries"
        _ = try service.make(entries, "{\"page\":43}", token: story.ben)
        let mine = "{\"book\":\"\(story.book)\",\"position\":{\"page\":60},\"body\":\"x\"}"
        let note = try service.send("POST", "/v1/notes", mine, token: story.ben)
        let ahead = try story.note("0.5")
        func seen() throws -> [String] {
            try [
                "/v1/readings/\(story.reading)", "/v1/cards/\(story.reading)", entries, milestones,
                "/v1/notes/\(note["id"]?.string ?? "")",
            ].map { path in
                let answer = try service.send("GET", path, token: story.ben)
                return answer["items"].map { String(decoding: $0.encoded, as: UTF8.self) } ?? answer.text
            }
        }
        let before = try seen()
        #expect(before[1].contains("\"pageCount\":100") && note["progress"]?.double == 0.6)
        let start = try service.head(token: story.ben)
        #expect(try service.send("PATCH", "/v1/books/\(story.book)", "{\"pageCount\":50}").status == 200)
        #expect(try seen() == before)
        #expect(try service.events(after: start, token: story.ben) == ["book updated"])
        // Neither does a patch that repeats the current position.
        for path in ["\(milestones)/\(milestone)", "\(meetings)/\(meeting)"] {
            let again = try service.send("PATCH", path, "{\"position\":{\"page\":50}}", token: story.ada)
            #expect(again["progress"]?.double == 0.5 && again["page"]?.integer == 50, "\(again.text)")
        }
        #expect(try seen() == before)
        #expect(try service.events(after: start, token: story.ben) == ["book updated"])

        let entry = try service.send("POST", entries, "{\"page\":44}", token: story.ben)
        #expect(entry.status == 201 && entry["progress"]?.double == 0.44)
        #expect(try service.send("GET", "/v1/notes/\(ahead)", token: story.ben).status == 404)
        let again = try service.send("POST", "/v1/notes", mine, token: story.ben)
        #expect(again["progress"]?.double == 0.6 && again["position"]?["page"]?.integer == 60)
        // A reader without an edition of their own uses the book's page count.
        #expect(try service.send("POST", "/v1/notes", mine, token: story.ada).pointers == ["/position/page"])
    }

    @Test("A reader who switches editions keeps their position")
    func ownEdition() throws {
        let story = try ClubStory()
        let service = story.service
        let path = "/v1/readings/\(story.reading)"
        _ = try service.make("\(path)/entries", "{\"page\":43}", token: story.ben)
        let cards = try Watcher(service, "/v1/cards", token: story.ben)
        #expect(cards.wait(count: 1))
        let start = try service.head(token: story.ben)
        let patch = try service.send("PATCH", path, "{\"pageCount\":200}", token: story.ben)
        #expect(patch.status == 200 && patch["page"]?.integer == 86 && patch["progress"]?.double == 0.43)
        #expect(try service.events(after: start, token: story.ben) == ["reading updated"])
        #expect(cards.wait(count: 2) && cards.events[1].data.contains("\"changed\":[\"pageCount\",\"page\"]"))
        let entry = try service.send("POST", "\(path)/entries", "{\"page\":100}", token: story.ben)
        #expect(entry["progress"]?.double == 0.5)
        let body = "{\"book\":\"\(story.book)\",\"position\":{\"page\":150},\"body\":\"x\"}"
        #expect(try service.send("POST", "/v1/notes", body, token: story.ben)["progress"]?.double == 0.75)
        let undo = "\(path)/entries/\(entry["id"]?.string ?? "")"
        #expect(try service.send("DELETE", undo, token: story.ben).status == 204)
        #expect(try service.send("GET", path, token: story.ben)["page"]?.integer == 86)
        #expect(try service.send("PATCH", path, "{\"isFinished\":true}", token: story.ben)["page"]?.integer == 200)
        #expect(try service.send("PATCH", path, "{\"pageCount\":0}", token: story.ben).pointers == ["/pageCount"])
        let unknown = try service.send("PATCH", path, "{\"pageCount\":null}", token: story.ben)
        #expect(unknown["page"]?.isNull == true && unknown["pageCount"]?.isNull == true)
        let draft = "{\"book\":\"\(story.book)\",\"pageCount\":10}"
        #expect(try service.send("POST", "/v1/readings", draft, token: story.ada)["pageCount"]?.integer == 10)
    }

    @Test("A first reading cannot be reopened while a re-read is open, and the problem says so; a re-read can")
    func reopen() throws {
        let story = try ClubStory()
        let service = story.service
        let draft = "{\"book\":\"\(story.book)\"}"
        let first = "/v1/readings/\(story.reading)"
        for end in ["finished", "abandoned"] {
            let ending = "{\"state\":\"\(end)\"}"
            #expect(try service.send("PATCH", first, ending, token: story.ben).status == 200)
            let second = try service.make("/v1/readings", draft, token: story.ben)
            let start = try service.head(token: story.ben)
            let bodies = ["{\"state\":\"reading\"}", "{\"state\":\"paused\"}"]
            for body in end == "finished" ? bodies + ["{\"isFinished\":false}"] : bodies {
                let refused = try service.send("PATCH", first, body, token: story.ben)
                #expect(refused.status == 409 && refused["type"]?.string == "/problems/reading-open")
                #expect(refused["current"]?["id"]?.string == second, "\(refused.text)")
            }
            let pages = try service.send("PATCH", first, "{\"pageCount\":77}", token: story.ben)
            #expect(pages.status == 200 && pages["state"]?.string == end)
            _ = try service.send("PATCH", first, "{\"pageCount\":100}", token: story.ben)
            #expect(try service.events(after: start, token: story.ben) == ["reading updated", "reading updated"])
            #expect(try service.send("PATCH", "/v1/readings/\(second)", ending, token: story.ben).status == 200)
            let open = try service.send("PATCH", first, bodies[0], token: story.ben)
            #expect(open.status == 200 && open["state"]?.string == "reading")
            // The second reading was intended, and may be resumed beside the first.
            #expect(try service.send("PATCH", "/v1/readings/\(second)", bodies[1], token: story.ben).status == 200)
            #expect(try service.send("PATCH", "/v1/readings/\(second)", ending, token: story.ben).status == 200)
        }
    }

    @Test("A second open reading of a book is refused with the first one, unless the request says isReread")
    func reread() throws {
        let story = try ClubStory()
        let service = story.service
        let draft = "{\"book\":\"\(story.book)\"}"
        let start = try service.head(token: story.ben)
        let refused = try service.send("POST", "/v1/readings", draft, token: story.ben)
        #expect(refused.status == 409 && refused["type"]?.string == "/problems/reading-open")
        #expect(refused["current"]?["id"]?.string == story.reading && refused.text.contains("/v1/readings/"))
        #expect(try service.events(after: start, token: story.ben) == [])
        #expect(try service.send("POST", "/v1/readings", draft, token: story.ada).status == 201)
        let meant = "{\"book\":\"\(story.book)\",\"isReread\":true}"
        let second = try service.make("/v1/readings", meant, token: story.ben)
        // Reading along uses the open reading, not the one that was begun last.
        let finish = "{\"state\":\"finished\"}"
        #expect(try service.send("PATCH", "/v1/readings/\(second)", finish, token: story.ben).status == 200)
        _ = try story.read("0.3")
        try story.choose()
        try story.createStanding(sharing: "exact")
        #expect(try story.list("standings").first?["progress"]?.double == 0.3)
        for state in ["abandoned", "finished"] {
            let open = try service.send("POST", "/v1/readings", draft, token: story.ben)
            let id = open["current"]?["id"]?.string ?? ""
            #expect(open.status == 409)
            let path = "/v1/readings/\(id)"
            #expect(try service.send("PATCH", path, "{\"state\":\"paused\"}", token: story.ben).status == 200)
            #expect(try service.send("POST", "/v1/readings", draft, token: story.ben).status == 409)
            #expect(try service.send("PATCH", path, "{\"state\":\"\(state)\"}", token: story.ben).status == 200)
            #expect(try service.send("POST", "/v1/readings", draft, token: story.ben).status == 201)
        }
    }

    @Test("A list of books that has not changed for long has a position from which a client can continue")
    func positions() throws {
        let service = try TestService {
            $0.store.retentionCountMax = 10
            $0.loops = 1
        }
        let book = try service.make("/v1/books", "{\"title\":\"x\"}")
        let reading = try service.make("/v1/readings", "{\"book\":\"\(book)\"}")
        func position() throws -> String { try service.send("GET", "/v1/books")["after"]?.string ?? "" }
        let first = try position()
        for page in 10...50 { _ = try service.make("/v1/readings/\(reading)/entries", "{\"progress\":0.\(page)}") }
        // The log is trimmed within a second.
        #expect(try eventually { try service.send("GET", "/v1/changes?after=\(first)").status == 409 })
        #expect(try eventually { try service.send("GET", "/v1/changes?after=\(position())").status == 200 })
    }
}
