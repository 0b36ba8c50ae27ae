import HTTPServer

/// What a browser is answered that signs in: a place to go to, a page, or a document, and cookies.
struct Landing: Sendable {
    var status = 200
    var location: String?
    var cookies: [String] = []
    var body: [UInt8] = []
    var type: StaticString = "application/json"
    /// Of a page: what it may do.
    var policy: String?
    /// The value of `Cache-Control`.
    var caching: StaticString = "no-store"
    /// The validator, with its quotes.
    var tag: [UInt8]?
    /// Whether the same address has something else for programs.
    var variesByAccept = false

    /// To be answered with a GET of that path, whatever the method was.
    static func at(_ path: String, cookies: [String]) -> Landing {
        Landing(status: 303, location: path, cookies: cookies)
    }

    func write(to response: inout ResponseWriter) {
        response.status(status)
        for cookie in cookies { response.field("Set-Cookie", cookie) }
        if let location { response.field("Location", location) }
        if let policy {
            response.field("Content-Security-Policy", policy)
            response.field("X-Frame-Options", "DENY")
        }
        if variesByAccept { response.field("Vary", "Accept") }
        if let tag { response.field("ETag", tag) }
        response.field("Cache-Control", caching)
        // The URL of an answer of the provider's has a code in it.
        response.field("Referrer-Policy", "no-referrer")
        if status == 304 { response.empty() } else { response.body(body, type: type) }
    }
}
