import Testing

@testable import HTTPServer

@Suite("The router")
struct RouterTests {
    private static let routes: [(HTTPMethod, String, String)] = [
        (.get, "/", "root"), (.get, "/v1/books", "books"), (.post, "/v1/books", "create"),
        (.get, "/v1/books/{id}", "book"), (.get, "/v1/books/popular", "popular"),
        (.get, "/v1/readings/{id}/entries/{entry}", "entry"), (.delete, "/v1/readings/{id}", "forget"),
        (.get, "/v1/{any}/last", "last"),
    ]

    private let router: Router = {
        var router = Router()
        for (number, route) in routes.enumerated() { router.add(route.0, route.1, number) }
        return router
    }()

    private func look(_ method: HTTPMethod, _ path: String) -> String {
        let bytes = [UInt8](path.utf8)
        switch router.lookup(path: bytes.span.bytes, method: method) {
        case .found(let route, let captures):
            return
                ([Self.routes[route].2]
                + (0..<captures.count).map { captures.text($0, in: bytes.span.bytes) ?? "malformed" })
                .joined(separator: " ")
        case .methodNotAllowed(let allow): return String(decoding: allow, as: UTF8.self)
        case .notFound: return "404"
        }
    }

    private static let paths: [(HTTPMethod, String, String)] = [
        (.get, "/", "root"), (.get, "/v1/books", "books"), (.post, "/v1/books", "create"),
        (.head, "/v1/books", "books"),
        (.get, "/v1/books/7", "book 7"), (.get, "/v1/books/a%20b", "book a b"),
        (.get, "/v1/books/%zz", "book malformed"),
        (.get, "/v1/books/popular", "popular"), (.get, "/v1/books/popularity", "book popularity"),
        (.get, "/v1/readings/1/entries/2", "entry 1 2"), (.get, "/v1/books/last", "book last"),
        (.get, "/v1/cards/last", "last cards"), (.get, "/v1/readings/last", "DELETE, OPTIONS"),
        (.delete, "/v1/readings/9", "forget 9"), (.get, "/v1/readings/9", "DELETE, OPTIONS"),
        (.put, "/v1/books", "GET, HEAD, POST, OPTIONS"), (.other, "/v1/books", "GET, HEAD, POST, OPTIONS"),
        (.options, "/v1/books/7", "GET, HEAD, OPTIONS"),
        (.get, "/v1", "404"), (.get, "/v1/", "404"), (.get, "/v1/books/", "404"), (.get, "//v1/books", "404"),
        (.get, "/V1/books", "404"), (.get, "", "404"), (.get, "*", "404"), (.get, "/v1/readings/1/entries/2/3", "404"),
        (.get, "/v1/readings//entries/2", "404"),
    ]

    @Test("Paths lead to routes", arguments: paths)
    func finds(_ method: HTTPMethod, _ path: String, _ expected: String) {
        #expect(look(method, path) == expected)
    }
}
