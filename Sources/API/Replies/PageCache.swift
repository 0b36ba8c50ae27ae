import HTTPServer

/// A page of a list as it is sent.
struct SentPage {
    let body: [UInt8]
    let tag: [UInt8]
    /// The `Link` to the next page; nil on the last.
    let link: [UInt8]?
}

/// Pages of the list that everyone sees alike, by their query, until something in it changes. Confined to one event loop,
/// which hears of every commit before the next request: what is found here is what a query would give.
struct PageCache {
    /// Pages that are held; one more, and the cache starts anew.
    static let countMax = 64

    private var pages: [[UInt8]: SentPage] = [:]

    subscript(_ query: RawSpan) -> SentPage? {
        get { pages.isEmpty ? nil : pages[bytes(of: query)] }
        set {
            if pages.count >= Self.countMax { pages.removeAll(keepingCapacity: true) }
            pages[bytes(of: query)] = newValue
        }
    }

    /// Something changed that any of the pages may show.
    mutating func forget() { if !pages.isEmpty { pages.removeAll(keepingCapacity: true) } }
}
