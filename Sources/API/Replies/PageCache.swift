import HTTPServer

/// A page of a list as it is sent.
struct SentPage {
    let document: Document
    /// The `Link` to the next page; nil on the last.
    let link: [UInt8]?
}

/// Pages of lists that everyone sees alike, by their target, until something in it changes. Confined to one event loop,
/// which hears of every commit before the next request: what is found here is what a query would give. So pages of searches
/// are not held: which book comes first depends on who reads, of which nobody is told.
struct PageCache {
    /// Pages that are held; one more, and the cache starts anew.
    static let countMax = 64

    private var pages: [[UInt8]: SentPage] = [:]

    subscript(_ target: RawSpan) -> SentPage? {
        get { pages.isEmpty ? nil : pages[bytes(of: target)] }
        set {
            if pages.count >= Self.countMax { pages.removeAll(keepingCapacity: true) }
            pages[bytes(of: target)] = newValue
        }
    }

    /// Something changed that any of the pages may show.
    mutating func forget() { if !pages.isEmpty { pages.removeAll(keepingCapacity: true) } }
}
