import Foundation
import JSON
import Model
import Testing

@testable import API

@Suite("Shelves")
struct ShelfTests {
    /// A club of Ada and Ben, Eve outside it, and three books.
    private struct House {
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
            _ = pipeline.hear()
        }

        /// Sends a request, and returns its status and its events in the log.
        func ask(_ method: String, _ path: String, _ body: String? = nil, as name: String) throws -> (Int, [String]) {
            let answer = try pipeline.send(method, path, body, as: name)
            return (answer.status, pipeline.hear().map { "\($0.kind.name) \($0.operation.name)" })
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
        let house = try House()
        let shelf = try house.pipeline.send("GET", "/v1/shelves/\(house.ada)", as: "ada")
        #expect(shelf.status == 200 && shelf["name"]?.string == "Want to read" && shelf["version"]?.integer == 0)
        #expect(shelf["isWantToRead"]?.bool == true)
        let own = try house.pipeline.send("GET", "/v1/shelves", as: "ada")
        #expect(own["items"]?.elements.map { $0["id"]?.string } == [house.ada])
        #expect(try house.pipeline.send("GET", "/v1/shelves/\(house.ada)", as: "ben").status == 404)
        let kept = try house.ask("DELETE", "/v1/shelves/\(house.ada)", as: "ada")
        #expect(kept == (409, []))
        let tag = try #require(shelf.fields["etag"])
        let renamed = try house.pipeline.send(
            "PATCH", "/v1/shelves/\(house.ada)", "{\"name\":\"Soon\"}", as: "ada", fields: ["If-Match: \(tag)"])
        #expect(renamed.status == 200 && renamed["isWantToRead"]?.bool == true)
    }

    @Test("Books are added to a shelf, moved and removed, in its order; the same again is no change")
    func order() throws {
        let house = try House()
        let path = "/v1/shelves/\(house.ada)/books/"
        let stream = try house.pipeline.open("/v1/shelves/\(house.ada)/books", as: "ada")
        for book in house.books {
            #expect(try house.ask("PUT", path + book, "{}", as: "ada") == (201, ["shelfBook created"]))
        }
        #expect(try house.titles(house.ada, as: "ada") == ["Dawn", "Emma", "Kim"])
        #expect(try house.ask("PUT", path + house.books[0], "{\"place\":9}", as: "ada") == (200, ["shelfBook updated"]))
        #expect(try house.titles(house.ada, as: "ada") == ["Emma", "Kim", "Dawn"])
        #expect(try house.ask("PUT", path + house.books[0], "{}", as: "ada") == (200, []))
        #expect(try house.ask("PUT", path + house.books[0], "{\"place\":-1}", as: "ada") == (422, []))
        _ = try house.pipeline.send("DELETE", path + house.books[1], as: "ada")
        #expect(try house.pipeline.tell(house.pipeline.hear(), to: [stream]) == [["leave"]])
        #expect(try house.titles(house.ada, as: "ada") == ["Kim", "Dawn"])
        #expect(try house.ask("DELETE", path + house.books[1], as: "ada") == (404, []))
        #expect(try house.ask("PUT", path + house.ada, "{}", as: "ada") == (404, []))
    }

    @Test("A private shelf is shared with a club, whose members read and watch it, and cannot change it")
    func sharing() throws {
        let house = try House()
        let shelf = try house.pipeline.make("/v1/shelves", "{\"name\":\"Sea\"}", as: "ada")
        _ = try house.pipeline.send("PUT", "/v1/shelves/\(shelf)/books/\(house.books[0])", "{}", as: "ada")
        _ = house.pipeline.hear()
        #expect(try house.titles(shelf, as: "ben") == ["404"])
        let listed = try house.pipeline.open("/v1/shelves?club=\(house.club)", as: "ben")
        _ = try house.pipeline.send("PATCH", "/v1/shelves/\(shelf)", "{\"club\":\"\(house.club)\"}", as: "ada")
        #expect(try house.pipeline.tell(house.pipeline.hear(), to: [listed]) == [["snapshot"]])
        #expect(try house.titles(shelf, as: "ben") == ["Dawn"])
        #expect(try house.titles(shelf, as: "eve") == ["404"])
        let (books, feed) = (
            try house.pipeline.open("/v1/shelves/\(shelf)/books", as: "ben"),
            try house.pipeline.open("/v1/changes", as: "eve")
        )
        _ = try house.pipeline.send("PUT", "/v1/shelves/\(shelf)/books/\(house.books[1])", "{}", as: "ada")
        #expect(try house.pipeline.tell(house.pipeline.hear(), to: [books, feed]) == [["snapshot"], []])
        for (method, path, body) in [
            ("PUT", "/v1/shelves/\(shelf)/books/\(house.books[2])", "{}"), ("DELETE", "/v1/shelves/\(shelf)", nil),
            ("PATCH", "/v1/shelves/\(shelf)", "{\"name\":\"Mine\"}"),
        ] {
            #expect(try house.ask(method, path, body, as: "ben") == (404, []), "\(method) \(path)")
        }
        #expect(
            try house.ask("PATCH", "/v1/shelves/\(shelf)", "{\"club\":null}", as: "ada") == (200, ["shelf updated"]))
        #expect(try house.titles(shelf, as: "ben") == ["404"])
        let own = try house.ask("PATCH", "/v1/shelves/\(shelf)", "{\"club\":\"\(house.club)\"}", as: "eve")
        #expect(own.0 == 404)
        let foreign = try house.ask("POST", "/v1/shelves", "{\"name\":\"x\",\"club\":\"\(house.club)\"}", as: "eve")
        #expect(foreign == (422, []))
    }

    @Test("The entity tag of another's shelf depends only on the shelf")
    func discretion() throws {
        let house = try House()
        let body = "{\"name\":\"Sea\",\"club\":\"\(house.club)\"}"
        let shelf = try house.pipeline.make("/v1/shelves", body, as: "ada")
        _ = try house.pipeline.send("PUT", "/v1/shelves/\(shelf)/books/\(house.books[0])", "{}", as: "ada")
        _ = house.pipeline.hear()
        let before = try house.pipeline.send("GET", "/v1/shelves/\(shelf)/books", as: "ben")
        let note =
            "{\"book\":\"\(house.books[1])\",\"club\":\"\(house.club)\",\"position\":{\"progress\":0.9},\"body\":\"far\"}"
        #expect(try house.ask("POST", "/v1/notes", note, as: "ada").0 == 201)
        #expect(try house.ask("PUT", "/v1/shelves/\(house.ada)/books/\(house.books[1])", "{}", as: "ada").0 == 201)
        #expect(try house.pipeline.send("GET", "/v1/shelves/\(shelf)/books", as: "ben").text == before.text)
    }

    @Test("Nothing more can be shared with an archived club, and what is shared stays")
    func archived() throws {
        let house = try House()
        let body = "{\"name\":\"Sea\",\"club\":\"\(house.club)\"}"
        let shelf = try house.pipeline.make("/v1/shelves", body, as: "ada")
        _ = try house.pipeline.send("PATCH", "/v1/clubs/\(house.club)", "{\"isArchived\":true}", as: "ada")
        _ = house.pipeline.hear()
        #expect(try house.ask("POST", "/v1/shelves", body, as: "ada") == (409, []))
        #expect(try house.ask("PATCH", "/v1/shelves/\(shelf)", body, as: "ada") == (200, []))
        #expect(try house.titles(shelf, as: "ben") == [])
    }

    @Test("A shared shelf is private again when its reader leaves the club or the club ends")
    func ends() throws {
        let house = try House()
        let body = "{\"name\":\"Sea\",\"club\":\"\(house.club)\"}"
        let (ada, ben) = (
            try house.pipeline.make("/v1/shelves", body, as: "ada"),
            try house.pipeline.make("/v1/shelves", body, as: "ben")
        )
        _ = house.pipeline.hear()
        let me = try #require(try house.pipeline.send("GET", "/v1/me", as: "ben")["id"]?.string)
        let left = try house.ask("DELETE", "/v1/clubs/\(house.club)/members/\(me)", as: "ben")
        #expect(left.0 == 204 && left.1.first == "shelf updated")
        #expect(try house.pipeline.send("GET", "/v1/shelves/\(ben)", as: "ben")["club"]?.isNull == true)
        #expect(try house.titles(ben, as: "ada") == ["404"])
        let ended = try house.ask("DELETE", "/v1/clubs/\(house.club)", as: "ada")
        #expect(ended.0 == 204 && ended.1.first == "shelf updated")
        #expect(try house.pipeline.send("GET", "/v1/shelves/\(ada)", as: "ada")["club"]?.isNull == true)
    }

    @Test("A deleted shelf deletes its rows, and a book on a shelf is in use")
    func deletion() throws {
        let house = try House()
        let shelf = try house.pipeline.make("/v1/shelves", "{\"name\":\"Sea\"}", as: "ben")
        _ = try house.pipeline.send("PUT", "/v1/shelves/\(shelf)/books/\(house.books[0])", "{}", as: "ben")
        _ = house.pipeline.hear()
        #expect(try house.ask("DELETE", "/v1/books/\(house.books[0])", as: "admin") == (409, []))
        #expect(
            try house.ask("DELETE", "/v1/shelves/\(shelf)", as: "ben") == (204, ["shelfBook deleted", "shelf deleted"]))
        #expect(try house.ask("DELETE", "/v1/books/\(house.books[0])", as: "admin") == (204, ["book deleted"]))
    }
}
