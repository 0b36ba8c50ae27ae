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
    /// Whether anybody may keep it, who asks again.
    var isKept = false

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
        response.field("Cache-Control", isKept ? "no-cache" : "no-store")
        // The URL of an answer of the provider's has a code in it.
        response.field("Referrer-Policy", "no-referrer")
        response.body(body, type: type)
    }
}
