import HTTPServer

/// A response to a browser: a redirect, a page or a document, and cookies.
struct BrowserPageResponse: Sendable {
    var status = 200
    var location: String?
    var cookies: [String] = []
    var body: [UInt8] = []
    var type: StaticString = "application/json"
    /// The content security policy of a page.
    var policy: String?
    /// The value of `Cache-Control`.
    var caching: StaticString = "no-store"
    /// The validator, with its quotes.
    var tag: [UInt8]?
    /// A Boolean value indicating whether the same address has another representation for programs.
    var variesByAccept = false

    /// Returns a redirect that the browser follows with a GET, whatever the method was.
    static func at(_ path: String, cookies: [String]) -> BrowserPageResponse {
        BrowserPageResponse(status: 303, location: path, cookies: cookies)
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
        // The URL of the provider's response contains a code.
        response.field("Referrer-Policy", "no-referrer")
        if status == 304 { response.empty() } else { response.body(body, type: type) }
    }
}
