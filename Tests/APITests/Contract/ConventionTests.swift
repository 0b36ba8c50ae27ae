import Foundation
import JSON
import Testing

@Suite("Conventions of the interface")
struct ConventionTests {
    @Test("An ETag gives 304 as long as nothing changed, and not longer")
    func conditionalGet() throws {
        let service = try TestService()
        let path = "/v1/books/" + (try service.make("/v1/books", "{\"title\":\"Kindred\"}"))
        let first = try service.send("GET", path)
        #expect(try service.send("GET", path, fields: ["If-None-Match: \(first.etag)"]).status == 304)
        #expect(try service.send("PATCH", path, "{\"title\":\"Kindred\"}").fields["lectern-unchanged"] == "true")
        #expect(try service.send("GET", path, fields: ["If-None-Match: \(first.etag)"]).status == 304)
        let changed = try service.send("PATCH", path, "{\"title\":\"Dawn\"}", fields: ["If-Match: \(first.etag)"])
        #expect(changed.status == 200 && changed.etag != first.etag)
        let second = try service.send("GET", path, fields: ["If-None-Match: \(first.etag)"])
        #expect(second.status == 200 && second.etag == changed.etag)
    }

    @Test("A resource that is created again under its old id never has an earlier ETag")
    func recreated() throws {
        let service = try TestService()
        let path = "/v1/books/01890000-0000-7000-8000-000000000001"
        let first = try service.send("PUT", path, "{\"title\":\"Kindred\"}")
        #expect(try service.send("DELETE", path).status == 204)
        #expect(try service.send("GET", path).status == 404)
        let second = try service.send("PUT", path, "{\"title\":\"Kindred\"}")
        #expect(first.status == 201 && second.status == 201 && first.etag != second.etag)
    }

    @Test("A POST with an Idempotency-Key happens once, also across a restart, and is refused with another body")
    func idempotency() throws {
        let service = try TestService()
        let key = ["Idempotency-Key: k-1"]
        let first = try service.send("POST", "/v1/books", "{\"title\":\"Kindred\"}", fields: key)
        let again = try service.send("POST", "/v1/books", "{\"title\":\"Kindred\"}", fields: key)
        #expect(again.status == 201 && again.text == first.text && again.fields["idempotency-replayed"] == "true")
        try service.restart()
        let later = try service.send("POST", "/v1/books", "{\"title\":\"Kindred\"}", fields: key)
        #expect(later.text == first.text && later.etag == first.etag)
        #expect(try service.send("POST", "/v1/books", "{\"title\":\"Dawn\"}", fields: key).status == 422)
        #expect(try service.send("GET", "/v1/books")["items"]?.elements.map { $0 }.count == 1)
    }

    @Test("An Idempotency-Key compares JSON values, not their text")
    func idempotencyOfJSON() throws {
        let service = try TestService()
        let key = ["Idempotency-Key: k"]
        let first = try service.send("POST", "/v1/books", "{\"title\":\"Kindred\",\"pageCount\":300}", fields: key)
        let before = try service.head()
        for same in [
            " {\"pageCount\" : 300, \"title\":\"Kindred\"}\n", "{\"title\":\"\\u004bindred\",\"pageCount\":3.00e2}",
        ] {
            let again = try service.send("POST", "/v1/books", same, fields: key)
            #expect(again.status == 201 && again.text == first.text && again.fields["idempotency-replayed"] == "true")
        }
        for other in [
            "{\"title\":\"Kindred\",\"pageCount\":301}", "{\"title\":\"Kindred\"}", "[\"title\",\"Kindred\"]",
        ] {
            #expect(try service.send("POST", "/v1/books", other, fields: key).status == 422)
        }
        #expect(try service.events(after: before).isEmpty)
    }

    @Test("PATCH, PUT and DELETE with an Idempotency-Key happen once, too")
    func idempotencyOfOthers() throws {
        let service = try TestService()
        let path = "/v1/books/" + (try service.make("/v1/books", "{\"title\":\"Kindred\"}"))
        let first = try service.send("PATCH", path, "{\"title\":\"Dawn\"}", fields: ["Idempotency-Key: k-1"])
        _ = try service.send("PATCH", path, "{\"title\":\"Imago\"}")
        let before = try service.head()
        let again = try service.send("PATCH", path, "{\"title\":\"Dawn\"}", fields: ["Idempotency-Key: k-1"])
        #expect(again.status == 200 && again.text == first.text && again.etag == first.etag)
        #expect(again.fields["idempotency-replayed"] == "true")
        #expect(try service.send("GET", path)["title"]?.string == "Imago")
        #expect(try service.send("DELETE", path, fields: ["Idempotency-Key: k-1"]).status == 422)
        #expect(try service.events(after: before).isEmpty)
        #expect(try service.send("DELETE", path, fields: ["Idempotency-Key: k-2"]).status == 204)
        let made = try service.send("PUT", path, "{\"title\":\"Dawn\"}", fields: ["Idempotency-Key: k-3"])
        let gone = try service.send("DELETE", path, fields: ["Idempotency-Key: k-2"])
        #expect(gone.status == 204 && gone.fields["idempotency-replayed"] == "true")
        let there = try service.send("GET", path)
        #expect(made.status == 201 && there.etag == made.etag)
        #expect(try service.send("PUT", path, "{\"title\":\"Dawn\"}", fields: ["Idempotency-Key: k-3"]).status == 201)
    }

    @Test("The pages of a list contain every book once, in every order")
    func paging() throws {
        let service = try TestService()
        for number in 0..<25 {
            let year = number % 3 == 0 ? "null" : "\(1900 + number % 7)"
            _ = try service.make("/v1/books", "{\"title\":\"Book \(number % 5)\",\"publishedYear\":\(year)}")
        }
        for order in [
            "title", "-title", "author", "-author", "publishedYear", "-publishedYear", "createdAt", "-createdAt",
            "updatedAt", "-updatedAt",
        ] {
            var ids: [String] = []
            var cursor: String? = ""
            while let now = cursor {
                let page = try service.send("GET", "/v1/books?limit=4&sort=\(order)&cursor=\(now)")
                ids += page["items"]?.elements.compactMap { $0["id"]?.string } ?? []
                cursor = page["next"]?.string
                #expect((cursor != nil) == (page.fields["link"]?.contains("rel=\"next\"") == true))
            }
            #expect(ids.count == 25 && Set(ids).count == 25, "\(order)")
        }
    }

    @Test("HEAD has the fields of GET and no body; OPTIONS lists the methods")
    func headAndOptions() throws {
        let service = try TestService()
        let get = try service.send("GET", "/v1/me")
        #expect(get.status == 200)
        #expect(try service.send("OPTIONS", "/v1/books").fields["allow"] == "GET, HEAD, POST, OPTIONS")
    }

    @Test("Prefer: return=minimal omits the body")
    func minimal() throws {
        let service = try TestService()
        let made = try service.send("POST", "/v1/books", "{\"title\":\"x\"}", fields: ["Prefer: return=minimal"])
        #expect(made.status == 201 && made.text.isEmpty && made.fields["location"]?.hasPrefix("/v1/books/") == true)
        let patched = try service.send(
            "PATCH", made.fields["location"] ?? "", "{\"title\":\"y\"}", fields: ["Prefer: return=minimal"])
        #expect(patched.status == 204 && !patched.etag.isEmpty)
        #expect(patched.fields["preference-applied"] == "return=minimal")
        // A secret is shown only once, and so are the results of an import.
        let imported = #"{"account":"0199b7a2-4c11-7d80-8e02-31b7c5f9a602","lines":[]}"#
        for (path, body) in [("/v1/tokens", #"{"name":"phone"}"#), ("/v1/me/import", imported)] {
            let whole = try service.send("POST", path, body, fields: ["Prefer: return=minimal"])
            #expect(!whole.text.isEmpty && whole.fields["preference-applied"] == nil, "\(path) \(whole.text)")
        }
    }

    @Test("A revoked token is refused at once, on every loop")
    func revoked() throws {
        let service = try TestService()
        let answer = try service.send("POST", "/v1/tokens", "{\"name\":\"phone\"}")
        let token = answer["token"]?.string ?? ""
        for _ in 0..<4 { #expect(try service.send("GET", "/v1/me", token: token).status == 200) }
        #expect(try service.send("DELETE", "/v1/tokens/\(answer["id"]?.string ?? "")").status == 204)
        for _ in 0..<4 { #expect(try service.send("GET", "/v1/me", token: token).status == 401) }
    }
}
