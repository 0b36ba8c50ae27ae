import HTTPServer

/// A complete response in memory, for a program or for a person at a browser.
struct DocumentResponse: Sendable {
    var status = 200
    var body: [UInt8] = []
    var type: StaticString = "application/json"
    /// The value of `Cache-Control`, or `nil` to send none.
    var caching: StaticString?
    /// The validator, with its quotes. A client that has the representation gets 304.
    var tag: [UInt8]?
    /// The request fields that the response depends on.
    var vary: StaticString?
    /// The `Link` to the next page of a list.
    var link: [UInt8]?
    /// The address to which a browser goes on.
    var location: String?
    var cookies: [String] = []
    /// The content security policy of a page.
    var policy: String?
    /// A Boolean value indicating whether a browser keeps the URL from other sites. The URL of the identity provider's
    /// response contains a code.
    var hidesURL = false

    /// The response without a body.
    static let nothing = DocumentResponse(status: 204, caching: "no-store")

    /// Returns a document that only its recipient may store.
    static func own(
        _ body: [UInt8], _ type: StaticString = "application/json", tag: [UInt8]? = nil, link: [UInt8]? = nil
    ) -> DocumentResponse {
        DocumentResponse(
            body: body, type: type, caching: "private, no-cache", tag: tag ?? ETag.bytes(hashing: body),
            vary: "Accept, Authorization", link: link)
    }

    /// Returns a redirect that the browser follows with a GET, whatever the method was.
    static func redirect(to path: String, cookies: [String]) -> DocumentResponse {
        DocumentResponse(status: 303, caching: "no-store", location: path, cookies: cookies, hidesURL: true)
    }

    /// Writes the response, or 304 if the client has the representation.
    func write(_ request: borrowing Request, to response: inout ResponseWriter) {
        let isKnown = tag.map { EntityTagPrecondition.ifNoneMatch(request, has: $0.span.bytes) } ?? false
        write(status: isKnown ? 304 : status, to: &response)
    }

    /// Writes the response after the request is gone.
    func write(to response: inout ResponseWriter) { write(status: status, to: &response) }

    private func write(status: Int, to response: inout ResponseWriter) {
        response.status(status)
        for cookie in cookies { response.field("Set-Cookie", cookie) }
        if let location { response.field("Location", location) }
        if let link { response.field("Link", link) }
        if let policy {
            response.field("Content-Security-Policy", policy)
            response.field("X-Frame-Options", "DENY")
        }
        if let tag { response.field("ETag", tag) }
        if let caching { response.field("Cache-Control", caching) }
        if let vary { response.field("Vary", vary) }
        if hidesURL { response.field("Referrer-Policy", "no-referrer") }
        if status == 204 || status == 304 { response.empty() } else { response.body(body, type: type) }
    }
}
