import Foundation
import JSON
import Model
import Testing

@testable import API

@Suite("Shelves")
struct ShelfTests {
    /// A club of Ada and Ben, Eve outside it, and three books.
    private struct Scenario {
        let pipeline = try! TestPipeline()
        let club: String
        let books: [String]
        let ada: String

        init() throws {
            for name in ["ada", "ben", "eve"] { try pipeline.enter(name) }
            let pipeline = pipeline
            club = try pipeline.make("/v1/clubs", "{\"name\":\"Tuesdays\"}", as: "ada")
            let invitation = try pipeline.send("POST", "/v1/clubs/\(club)/invitations", "{}", as: "ada")
            let code = try #require(invitation["code"]?.string)
            _ = try pipeline.send("POST", "/v1/memberships", "{\"invitation\":\"\(code)\"}", as: "ben")
            books = try ["Dawn", "Emma", "Kim"].map {
                try pipeline.make("/v1/books", "{\"title\":\"\($0)\"}", as: "ada")
            }
            ada = try #require(try pipeline.send("GET", "/v1/me", as: "ada")["id"]?.string)
            _ = pipeline.receive()
        }

        /// Sends a request, and returns its status and its events in the log.
        func ask(_ method: String, _ path: String, _ body: String? = nil, as name: String) throws -> (Int, [String]) {
            let answer = try pipeline.send(method, path, body, as: name)
            return (answer.status, pipeline.receive().map { "\($0.kind.name) \($0.operation.name)" })
        }

        func titles(_ shelf: String, as name: String) throws -> [String] {
            let page = try pipeline.send("GET", "/v1/shelves/\(shelf)/books", as: name)
            return page["items"]?.elements.compactMap { item in
                books.firstIndex { $0 == item["book"]?.string }.map { ["Dawn", "Emma", "Kim"][$0] }
            } ?? ["\(page.status)"]
        }
    }

    @Test("Every reader has a shelf of books to read under their own id, which cannot be deleted")
    func wantToRead() throws {
        let scenario = try Scenario()
        let shelf = try scenario.pipeline.send("GET", "/v1/shelves/\(scenario.ada)", as: "ada")
        #expect(shelf.status == 200 && shelf["name"]?.string == "Want to read" && shelf["version"]?.integer == 0)
        #expect(shelf["isWantToRead"]?.bool == true)
        let own = try scenario.pipeline.send("GET", "/v1/shelves", as: "ada")
        #expect(own["items"]?.elements.map { $0["id"]?.string } == [scenario.ada])
        #expect(try scenario.pipeline.send("GET", "/v1/shelves/\(scenario.ada)", as: "ben").status == 404)
        let kept = try scenario.ask("DELETE", "/v1/shelves/\(scenario.ada)", as: "ada")
        #expect(kept == (409, []))
        let tag = try #require(shelf.fields["etag"])
        let renamed = try scenario.pipeline.send(
            "PATCH", "/v1/shelves/\(scenario.ada)", "{\"name\":\"Soon\"}", as: "ada", fields: ["If-Match: \(tag)"])
        #expect(renamed.status == 200 && renamed["isWantToRead"]?.bool == true)
    }

    @Test("Books are added to a shelf, moved and removed, in its order; the same again is no change")
    func order() throws {
        let scenario = try Scenario()
        let path = "/v1/shelves/\(scenario.ada)/books/"
        let stream = try scenario.pipeline.open("/v1/shelves/\(scenario.ada)/books", as: "ada")
        for book in scenario.books {
            #expect(try scenario.ask("PUT", path + book, "{}", as: "ada") == (201, ["shelfBook created"]))
        }
        #expect(try scenario.titles(scenario.ada, as: "ada") == ["Dawn", "Emma", "Kim"])
        #expect(
            try scenario.ask("PUT", path + scenario.books[0], "{\"place\":9}", as: "ada") == (
                200, ["shelfBook updated"]
            ))
        #expect(try scenario.titles(scenario.ada, as: "ada") == ["Emma", "Kim", "Dawn"])
        #expect(try scenario.ask("PUT", path + scenario.books[0], "{}", as: "ada") == (200, []))
        #expect(try scenario.ask("PUT", path + scenario.books[0], "{\"place\":-1}", as: "ada") == (422, []))
        _ = try scenario.pipeline.send("DELETE", path + scenario.books[1], as: "ada")
        #expect(try scenario.pipeline.deliver(scenario.pipeline.receive(), to: [stream]) == [["leave"]])
        #expect(try scenario.titles(scenario.ada, as: "ada") == ["Kim", "Dawn"])
        #expect(try scenario.ask("DELETE", path + scenario.books[1], as: "ada") == (404, []))
        #expect(try scenario.ask("PUT", path + scenario.ada, "{}", as: "ada") == (404, []))
    }

    @Test("A private shelf is shared with a club, whose members read and watch it, and cannot change it")
    func sharing() throws {
        let scenario = try Scenario()
        let shelf = try scenario.pipeline.make("/v1/shelves", "{\"name\":\"Sea\"}", as: "ada")
        _ = try scenario.pipeline.send("PUT", "/v1/shelves/\(shelf)/books/\(scenario.books[0])", "{}", as: "ada")
        _ = scenario.pipeline.receive()
        #expect(try scenario.titles(shelf, as: "ben") == ["404"])
        let listed = try scenario.pipeline.open("/v1/shelves?club=\(scenario.club)", as: "ben")
        _ = try scenario.pipeline.send("PATCH", "/v1/shelves/\(shelf)", "{\"club\":\"\(scenario.club)\"}", as: "ada")
        #expect(try scenario.pipeline.deliver(scenario.pipeline.receive(), to: [listed]) == [["snapshot"]])
        #expect(try scenario.titles(shelf, as: "ben") == ["Dawn"])
        #expect(try scenario.titles(shelf, as: "eve") == ["404"])
        let (books, feed) = (
            try scenario.pipeline.open("/v1/shelves/\(shelf)/books", as: "ben"),
            try scenario.pipeline.open("/v1/changes", as: "eve")
        )
        _ = try scenario.pipeline.send("PUT", "/v1/shelves/\(shelf)/books/\(scenario.books[1])", "{}", as: "ada")
        #expect(try scenario.pipeline.deliver(scenario.pipeline.receive(), to: [books, feed]) == [["snapshot"], []])
        for (method, path, body) in [
            ("PUT", "/v1/shelves/\(shelf)/books/\(scenario.books[2])", "{}"), ("DELETE", "/v1/shelves/\(shelf)", nil),
            ("PATCH", "/v1/shelves/\(shelf)", "{\"name\":\"Mine\"}"),
        ] {
            #expect(try scenario.ask(method, path, body, as: "ben") == (404, []), "\(method) \(path)")
        }
        #expect(
            try scenario.ask("PATCH", "/v1/shelves/\(shelf)", "{\"club\":null}", as: "ada") == (200, ["shelf updated"]))
        #expect(try scenario.titles(shelf, as: "ben") == ["404"])
        let own = try scenario.ask("PATCH", "/v1/shelves/\(shelf)", "{\"club\":\"\(scenario.club)\"}", as: "eve")
        #expect(own.0 == 404)
        let foreign = try scenario.ask(
            "POST", "/v1/shelves", "{\"name\":\"x\",\"club\":\"\(scenario.club)\"}", as: "eve")
        #expect(foreign == (422, []))
    }

    @Test("The entity tag of another's shelf depends only on the shelf")
    func discretion() throws {
        let scenario = try Scenario()
        let body = "{\"name\":\"Sea\",\"club\":\"\(scenario.club)\"}"
        let shelf = try scenario.pipeline.make("/v1/shelves", body, as: "ada")
        _ = try scenario.pipeline.send("PUT", "/v1/shelves/\(shelf)/books/\(scenario.books[0])", "{}", as: "ada")
        _ = scenario.pipeline.receive()
        let before = try scenario.pipeline.send("GET", "/v1/shelves/\(shelf)/books", as: "ben")
        let note =
            "{\"book\":\"\(scenario.books[1])\",\"club\":\"\(scenario.club)\",\"position\":{\"progress\":0.9},\"body\":\"far\"}"
        #expect(try scenario.ask("POST", "/v1/notes", note, as: "ada").0 == 201)
        #expect(
            try scenario.ask("PUT", "/v1/shelves/\(scenario.ada)/books/\(scenario.books[1])", "{}", as: "ada").0 == 201)
        #expect(try scenario.pipeline.send("GET", "/v1/shelves/\(shelf)/books", as: "ben").text == before.text)
    }

    @Test("Nothing more can be shared with an archived club, and what is shared stays")
    func archived() throws {
        let scenario = try Scenario()
        let body = "{\"name\":\"Sea\",\"club\":\"\(scenario.club)\"}"
        let shelf = try scenario.pipeline.make("/v1/shelves", body, as: "ada")
        _ = try scenario.pipeline.send("PATCH", "/v1/clubs/\(scenario.club)", "{\"isArchived\":true}", as: "ada")
        _ = scenario.pipeline.receive()
        #expect(try scenario.ask("POST", "/v1/shelves", body, as: "ada") == (409, []))
        #expect(try scenario.ask("PATCH", "/v1/shelves/\(shelf)", body, as: "ada") == (200, []))
        #expect(try scenario.titles(shelf, as: "ben") == [])
    }

    @Test("A shared shelf is private again when its reader leaves the club or the club ends")
    func ends() throws {
        let scenario = try Scenario()
        let body = "{\"name\":\"Sea\",\"club\":\"\(scenario.club)\"}"
        let (ada, ben) = (
            try scenario.pipeline.make("/v1/shelves", body, as: "ada"),
            try scenario.pipeline.make("/v1/shelves", body, as: "ben")
        )
        _ = scenario.pipeline.receive()
        let me = try #require(try scenario.pipeline.send("GET", "/v1/me", as: "ben")["id"]?.string)
        let left = try scenario.ask("DELETE", "/v1/clubs/\(scenario.club)/members/\(me)", as: "ben")
        #expect(left.0 == 204 && left.1.first == "shelf updated")
        #expect(try scenario.pipeline.send("GET", "/v1/shelves/\(ben)", as: "ben")["club"]?.isNull == true)
        #expect(try scenario.titles(ben, as: "ada") == ["404"])
        let ended = try scenario.ask("DELETE", "/v1/clubs/\(scenario.club)", as: "ada")
        #expect(ended.0 == 204 && ended.1.first == "shelf updated")
        #expect(try scenario.pipeline.send("GET", "/v1/shelves/\(ada)", as: "ada")["club"]?.isNull == true)
    }

    @Test("A deleted shelf deletes its rows, and a book on a shelf is in use")
    func deletion() throws {
        let scenario = try Scenario()
        let shelf = try scenario.pipeline.make("/v1/shelves", "{\"name\":\"Sea\"}", as: "ben")
        _ = try scenario.pipeline.send("PUT", "/v1/shelves/\(shelf)/books/\(scenario.books[0])", "{}", as: "ben")
        _ = scenario.pipeline.receive()
        #expect(try scenario.ask("DELETE", "/v1/books/\(scenario.books[0])", as: "admin") == (409, []))
        #expect(
            try scenario.ask("DELETE", "/v1/shelves/\(shelf)", as: "ben") == (
                204, ["shelfBook deleted", "shelf deleted"]
            ))
        #expect(try scenario.ask("DELETE", "/v1/books/\(scenario.books[0])", as: "admin") == (204, ["book deleted"]))
    }
}
