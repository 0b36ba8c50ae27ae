import API
import Foundation
import JSON
import SharedByTests
import Testing

/// Tests of readers with a guardian: their creation, their visibility, and their guardian's rights.
@Suite("Managed accounts", .serialized, .ownThreads)
struct ManagedAccountTests {
    /// A server with the guardian Ada, Ben without a guardian, and Ida, whose guardian is Ada.
    private struct Scenario {
        let service: TestService
        let ada: String
        let ben: String
        let ida: String
        let adaID: String
        let benID: String
        let idaID: String

        init() throws {
            service = try TestService()
            (ada, ben) = (try service.reader("Ada"), try service.reader("Ben"))
            adaID = try service.send("GET", "/v1/me", token: ada)["id"]?.string ?? ""
            benID = try service.send("GET", "/v1/me", token: ben)["id"]?.string ?? ""
            let made = try service.send("POST", "/v1/readers", "{\"name\":\"Ida\",\"guardian\":\"\(adaID)\"}")
            #expect(made.status == 201 && made["isManaged"]?.bool == true, "\(made.text)")
            #expect(made["guardian"]?.string == adaID)
            idaID = made["id"]?.string ?? ""
            let token = try service.send("POST", "/v1/tokens", "{\"name\":\"t\",\"reader\":\"\(idaID)\"}")
            ida = token["token"]?.string ?? ""
        }

        /// Returns a guardian's managed readers, as visible to the guardian.
        func managedAccounts(_ guardian: String, _ token: String) throws -> [String] {
            try ids("/v1/readers?guardian=\(guardian)", token)
        }

        func ids(_ path: String, _ token: String? = nil) throws -> [String] {
            let list = try service.send("GET", path, token: token)
            #expect(list.status == 200, "\(list.text)")
            return list["items"]?.elements.compactMap { $0["id"]?.string } ?? []
        }

        func patch(_ reader: String, _ body: String, _ token: String? = nil) throws -> Answer {
            try service.send("PATCH", "/v1/readers/\(reader)", body, token: token)
        }
    }

    @Test("A guardian sees that a managed account is suspended, and administrators see the reason")
    func suspended() throws {
        let scenario = try Scenario()
        #expect(try scenario.patch(scenario.idaID, "{\"suspension\":{\"reason\":\"a secret reason\"}}").status == 200)
        let path = "/v1/readers?guardian=\(scenario.adaID)"
        let guardians = try scenario.service.send("GET", path, token: scenario.ada).text
        #expect(guardians.contains("\"suspension\":{\"since\"") && !guardians.contains("a secret reason"))
        #expect(try scenario.service.send("GET", path).text.contains("a secret reason"))
        let one = try scenario.service.send("GET", "/v1/readers/\(scenario.idaID)", token: scenario.ada).text
        #expect(one.contains("\"suspension\":{\"since\"") && !one.contains("a secret reason"))
    }

    @Test("Readers see themselves and the accounts that they manage, and no other reader")
    func one() throws {
        let scenario = try Scenario()
        let service = scenario.service
        for (token, id) in [
            (scenario.ada, scenario.adaID), (scenario.ida, scenario.idaID), (scenario.ada, scenario.idaID),
        ] {
            let found = try service.send("GET", "/v1/readers/\(id)", token: token)
            #expect(found.status == 200 && found["id"]?.string == id, "\(found.text)")
        }
        for (token, id) in [
            (scenario.ben, scenario.idaID), (scenario.ida, scenario.adaID),
            (scenario.ada, "0199b7a2-5f0e-7c3a-9d41-6b8e2f10c4d7"),
        ] {
            let refused = try service.send("GET", "/v1/readers/\(id)", token: token)
            #expect(refused["type"]?.string == "/problems/administrators-only", "\(refused.text)")
        }
        let watcher = try Watcher(service, "/v1/readers/\(scenario.idaID)", token: scenario.ada)
        #expect(watcher.wait(count: 1))
        _ = try service.send("PATCH", "/v1/me", "{\"name\":\"Ida B\"}", token: scenario.ida)
        #expect(watcher.wait { $0.events.last?.data.contains("Ida B") == true })
        #expect(try scenario.patch(scenario.idaID, "{\"guardian\":\"\(scenario.benID)\"}").status == 200)
        #expect(watcher.wait { $0.isComplete })
    }

    @Test("Administrators create managed accounts and set their guardian; only the guardian lists them")
    func made() throws {
        let scenario = try Scenario()
        let service = scenario.service
        #expect(
            try scenario.managedAccounts(scenario.adaID, scenario.ada) == [scenario.idaID]
                && scenario.managedAccounts(scenario.benID, scenario.ben).isEmpty)
        #expect(try !scenario.ids("/v1/readers?limit=100").contains(scenario.idaID))
        #expect(try scenario.ids("/v1/readers?guardian=\(scenario.adaID)") == [scenario.idaID])
        #expect(try service.send("GET", "/v1/me", token: scenario.ida)["guardian"]?.string == scenario.adaID)
        #expect(try service.send("GET", "/v1/me", token: scenario.ada).text.contains("isManaged") == false)
        let body = "{\"name\":\"Kim\",\"guardian\":\"\(scenario.adaID)\"}"
        #expect(try service.send("POST", "/v1/readers", body, token: scenario.ada).status == 403)
        for (body, pointer) in [
            ("{\"name\":\"Kim\",\"guardian\":\"\(scenario.idaID)\"}", "/guardian"),
            ("{\"name\":\"Kim\",\"guardian\":\"0199b7a2-5f0e-7c3a-9d41-6b8e2f10c4d7\"}", "/guardian"),
            ("{\"name\":\"Kim\",\"role\":\"librarian\",\"guardian\":\"\(scenario.adaID)\"}", "/role"),
        ] { #expect(try service.send("POST", "/v1/readers", body).pointers == [pointer], "\(body)") }
        #expect(try scenario.patch(scenario.benID, "{\"guardian\":\"\(scenario.adaID)\"}").pointers == ["/guardian"])
        #expect(try scenario.patch(scenario.idaID, "{\"role\":\"librarian\"}").pointers == ["/role"])
        #expect(
            try service.send("PATCH", "/v1/me", "{\"guardian\":null}", token: scenario.ida).pointers == ["/guardian"])
        let token = "{\"name\":\"t\",\"reader\":\"\(scenario.idaID)\"}"
        #expect(try service.send("POST", "/v1/tokens", token, token: scenario.ada).status == 403)

        #expect(try scenario.patch(scenario.idaID, "{\"guardian\":\"\(scenario.benID)\"}").status == 200)
        #expect(
            try scenario.managedAccounts(scenario.adaID, scenario.ada).isEmpty
                && scenario.managedAccounts(scenario.benID, scenario.ben) == [scenario.idaID])
        let free = try scenario.patch(scenario.idaID, "{\"guardian\":null}")
        #expect(free.status == 200 && free["guardian"] == nil && free["isManaged"] == nil)
        #expect(
            try scenario.managedAccounts(scenario.benID, scenario.ben).isEmpty
                && scenario.ids("/v1/readers").contains(scenario.idaID))
    }

    @Test(
        "A guardian exports a managed account without its private data; nobody else can"
    )
    func export() throws {
        let scenario = try Scenario()
        let service = scenario.service
        let book = try service.make("/v1/books", "{\"title\":\"Kindred\",\"pageCount\":100}")
        let club = try service.make("/v1/clubs", "{\"name\":\"Class\"}", token: scenario.ida)
        let reading = try service.make("/v1/readings", "{\"book\":\"\(book)\"}", token: scenario.ida)
        let entry = "{\"progress\":0.25,\"note\":\"Xqentry\"}"
        _ = try service.make("/v1/readings/\(reading)/entries", entry, token: scenario.ida)
        let noted = "{\"progress\":0.5,\"note\":{\"body\":\"Xqnoted\"}}"
        _ = try service.make("/v1/readings/\(reading)/entries", noted, token: scenario.ida)
        let own = try service.make("/v1/notes", "{\"book\":\"\(book)\",\"body\":\"Xqprivate\"}", token: scenario.ida)
        let shared = "{\"book\":\"\(book)\",\"club\":\"\(club)\",\"position\":{\"progress\":0},\"body\":\"Xqshared\"}"
        _ = try service.make("/v1/notes", shared, token: scenario.ida)
        let draft = "{\"value\":{\"note\":\"Xqdraft\"}}"
        #expect(try service.send("PUT", "/v1/scenes/phone/draft", draft, token: scenario.ida).status == 201)

        let known = "{\"through\":{\"progress\":0.765432}}"
        #expect(try service.send("PUT", "/v1/books/\(book)/knowledge", known, token: scenario.ida).status == 201)
        let confided = shared.replacing("Xqshared", with: "Xqconfided").replacing(
            ",\"p", with: ",\"audience\":\"moderators\",\"p")
        _ = try service.make("/v1/notes", confided, token: scenario.ida)
        // The books to which only private notes and knowledge refer are private, too.
        let others = try ["Xqof-note", "Xqof-knowledge"].map {
            try service.make("/v1/books", "{\"title\":\"\($0)\"}", token: scenario.ida)
        }
        _ = try service.make("/v1/notes", "{\"book\":\"\(others[0])\",\"body\":\"Xqprivate\"}", token: scenario.ida)
        let knownBook = "/v1/books/\(others[1])/knowledge"
        #expect(try service.send("PUT", knownBook, known, token: scenario.ida).status == 201)
        let rating = "{\"stars\":1,\"noteId\":\"\(own)\"}"
        #expect(try service.send("PUT", "/v1/readings/\(reading)/rating", rating, token: scenario.ida).status == 201)
        let path = "/v1/me/export?reader=\(scenario.idaID)"
        let got = try service.lines(path, token: scenario.ada).joined(separator: "\n")
        let notes = try scenario.ids("/v1/notes", scenario.ida)
        #expect(notes.count == 5)
        for note in notes where !got.contains("{\"kind\":\"note\",\"id\":\"\(note)\"") {
            #expect(!got.contains(note), "\(note)")
        }
        #expect(got.contains("Xqshared") && got.contains("0.25") && got.contains("0.5"))
        for word in ["Xqentry", "Xqnoted", "Xqprivate", "Xqdraft", "Xqconfided", "knowledge", "0.765432", "Xqof-"] {
            #expect(!got.contains(word), "\(word)")
        }
        let all = try service.lines("/v1/me/export", token: scenario.ida).joined(separator: "\n")
        for word in ["Xqentry", "Xqnoted", "Xqprivate", "Xqdraft", "Xqconfided", "Xqshared", "knowledge", "Xqof-note"] {
            #expect(all.contains(word), "\(word)")
        }
        for token in [scenario.ben, scenario.ida, service.token] {
            #expect(try service.send("GET", path, token: token).status == 404)
        }
        #expect(try service.send("GET", "\(path)&format=csv", token: scenario.ada).status == 400)
        let readOnly = try service.send("POST", "/v1/tokens", #"{"name":"r","scope":"read"}"#, token: scenario.ada)
        #expect(try service.send("GET", path, token: readOnly["token"]?.string).status == 403)
        #expect(try service.send("GET", "/v1/readers?guardian=\(scenario.adaID)", token: scenario.ben).status == 403)
        #expect(try service.send("GET", "/v1/notes/\(own)", token: scenario.ada).status == 404)
        #expect(try service.send("GET", "/v1/readings/\(reading)", token: scenario.ada).status == 404)
    }

    @Test(
        "An import gives no guardian to guardians, and no managed account to managed accounts or itself"
    )
    func brought() throws {
        let scenario = try Scenario()
        let lines = [
            (scenario.adaID, scenario.benID), (scenario.benID, scenario.benID), (scenario.benID, scenario.idaID),
            (try scenario.service.send("GET", "/v1/me")["id"]?.string ?? "", scenario.benID),
        ].map { "{\"kind\":\"guardianship\",\"reader\":\"\($0)\",\"guardian\":\"\($1)\"}" }
        let body = "{\"lines\":[\(lines.joined(separator: ","))]}"
        let answer = try scenario.service.send("POST", "/v1/admin/import", body)
        #expect(
            answer["created"]?.integer == 0 && answer["refused"].map { Array($0.elements).count } == 4, "\(answer.text)"
        )
        #expect(try scenario.ids("/v1/readers?guardian=\(scenario.benID)").isEmpty)
        let fit =
            "{\"lines\":[\(lines[0].replacing(scenario.adaID, with: scenario.benID).replacing("n\":\"\(scenario.benID)", with: "n\":\"\(scenario.adaID)"))]}"
        #expect(try scenario.service.send("POST", "/v1/admin/import", fit)["updated"]?.integer == 1)
        #expect(try scenario.managedAccounts(scenario.adaID, scenario.ada).count == 2)
    }

    @Test("A guardian deletes a managed account with its name, and cannot be deleted before")
    func end() throws {
        let scenario = try Scenario()
        let service = scenario.service
        let refused = try service.send("DELETE", "/v1/readers/\(scenario.adaID)?confirm=Ada", token: scenario.ada)
        #expect(refused.status == 409 && refused["type"]?.string == "/problems/has-managed-accounts")
        #expect(try service.send("DELETE", "/v1/readers/\(scenario.adaID)").status == 409)
        let path = "/v1/readers/\(scenario.idaID)"
        #expect(try service.send("DELETE", "\(path)?confirm=Ida", token: scenario.ben).status == 404)
        #expect(
            try service.send("DELETE", "/v1/readers/\(scenario.benID)?confirm=Ben", token: scenario.ada).status == 404)
        for query in ["", "?confirm=ida"] {
            #expect(try service.send("DELETE", path + query, token: scenario.ada).status == 400)
        }
        // An administrator who deletes somebody else need not confirm it, but a wrong name is a mistake.
        let wrong = try service.send("DELETE", "\(path)?confirm=ida")
        #expect(wrong.status == 400 && wrong.text.contains(path))
        let me = try service.send("GET", "/v1/me")["id"]?.string ?? ""
        #expect(try service.send("DELETE", "/v1/readers/\(me)").status == 400)
        #expect(try service.send("DELETE", "\(path)?confirm=Ida", token: scenario.ada).status == 204)
        #expect(try service.send("GET", "/v1/me", token: scenario.ida).status == 401)
        #expect(try scenario.managedAccounts(scenario.adaID, scenario.ada).isEmpty)
        // This holds however much of the managed account is still being deleted.
        #expect(
            try service.send("DELETE", "/v1/readers/\(scenario.adaID)?confirm=Ada", token: scenario.ada).status == 204)
        #expect(try eventually { try service.metric("lectern_erasing") == 0 })
    }
}
