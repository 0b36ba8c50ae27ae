import Testing

@testable import HTTPServer

@Suite("The router")
struct RouterTests {
    private let router: Router<String> = {
        var router = Router<String>()
        router.add(.get, "/", "root")
        router.add(.get, "/v1/books", "books")
        router.add(.post, "/v1/books", "create")
        router.add(.get, "/v1/books/{id}", "book")
        router.add(.get, "/v1/books/popular", "popular")
        router.add(.get, "/v1/readings/{id}/entries/{entry}", "entry")
        router.add(.delete, "/v1/readings/{id}", "forget")
        router.add(.get, "/v1/{any}/last", "last")
        return router
    }()

    private func look(_ method: Method, _ path: String) -> String {
        let bytes = [UInt8](path.utf8)
        switch router.lookup(path: bytes.span.bytes, method: method) {
        case .found(let route, let captures):
            return ([route] + (0..<captures.count).map { captures.text($0, in: bytes.span.bytes) ?? "malformed" })
                .joined(separator: " ")
        case .methodNotAllowed(let allow): return String(decoding: allow, as: UTF8.self)
        case .notFound: return "404"
        }
    }

    private static let paths: [(Method, String, String)] = [
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

    @Test("paths lead to routes", arguments: paths)
    func finds(_ method: Method, _ path: String, _ expected: String) {
        #expect(look(method, path) == expected)
    }
}
