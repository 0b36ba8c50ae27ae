import HTTPServer

/// An answer that is no resource and no page of resources.
struct Document {
    var status = 200
    let body: [UInt8]
    let type: StaticString
    var tag: [UInt8]?
    /// What caches are told.
    var caching: StaticString?
    /// What it depends on besides the path.
    var vary: StaticString?

    init(_ body: [UInt8], _ type: StaticString, status: Int = 200, caching: StaticString? = nil) {
        (self.body, self.type, self.status, self.caching) = (body, type, status, caching)
    }

    /// What may be kept by whom it was made for, and asked for again by its tag.
    init(private body: [UInt8], tag: [UInt8]? = nil, _ type: StaticString = "application/json") {
        self.init(body, type, caching: "private, no-cache")
        self.tag = tag ?? ETag.bytes(hashing: body)
        vary = "Accept, Authorization"
    }

    /// Writes it, or 304 when the client has it.
    func write(_ request: borrowing Request, link: [UInt8]? = nil, to response: inout ResponseWriter) {
        var isKnown = false
        if let tag { isKnown = EntityTag.ifNoneMatch(request, tag.span.bytes) == .matches }
        response.status(isKnown ? 304 : status)
        if let link { response.field("Link", link) }
        if let tag { response.field("ETag", tag) }
        if let caching { response.field("Cache-Control", caching) }
        if let vary { response.field("Vary", vary) }
        if isKnown { response.empty() } else { response.body(body, type: type) }
    }
}
