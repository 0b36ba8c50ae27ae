import HTTPServer

/// A complete response in memory: its status, body, media type and directives for caches.
struct DocumentResponse {
    /// The directives for caches.
    enum Caching {
        case unspecified
        /// The response must not be stored.
        case never
        /// A stored response must be validated by its tag.
        case byTag([UInt8])
        /// A stored response must be validated by its tag, and shared caches must not store it.
        case privately([UInt8])
    }

    let status: Int
    let body: [UInt8]
    let type: StaticString
    let caching: Caching

    init(_ body: [UInt8], _ type: StaticString, status: Int = 200, caching: Caching = .unspecified) {
        (self.body, self.type, self.status, self.caching) = (body, type, status, caching)
    }

    /// The response without a body.
    static let nothing = DocumentResponse([], "application/json", status: 204, caching: .never)

    /// Creates a document that only its recipient may store.
    init(private body: [UInt8], _ type: StaticString = "application/json") {
        self.init(body, type, caching: .privately(ETag.bytes(hashing: body)))
    }

    /// Writes the document, or 304 if the client has it.
    func write(_ request: borrowing Request, link: [UInt8]? = nil, to response: inout ResponseWriter) {
        switch caching {
        case .privately(let tag): return Self.write(private: body, tag: tag, type, request, link: link, to: &response)
        case .byTag(let tag):
            let isKnown = Self.begin(status, tag, request, link: nil, &response)
            response.field("Cache-Control", "no-cache")
            if isKnown { return response.empty() }
        case .never:
            response.status(status)
            response.field("Cache-Control", "no-store")
        case .unspecified: response.status(status)
        }
        if status == 204 { return response.empty() }
        response.body(body, type: type)
    }

    /// Writes a document that only its recipient may store, or 304 if the client has it.
    static func write(
        private body: [UInt8], tag: [UInt8], _ type: StaticString, _ request: borrowing Request, link: [UInt8]? = nil,
        to response: inout ResponseWriter
    ) {
        let isKnown = begin(200, tag, request, link: link, &response)
        response.field("Cache-Control", "private, no-cache")
        response.field("Vary", "Accept, Authorization")
        if isKnown { response.empty() } else { response.body(body, type: type) }
    }

    private static func begin(
        _ status: Int, _ tag: [UInt8], _ request: borrowing Request, link: [UInt8]?, _ response: inout ResponseWriter
    ) -> Bool {
        let isKnown = EntityTagPrecondition.ifNoneMatch(request, has: tag.span.bytes)
        response.status(isKnown ? 304 : status)
        if let link { response.field("Link", link) }
        response.field("ETag", tag)
        return isKnown
    }
}
