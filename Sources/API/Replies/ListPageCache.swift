import HTTPServer

/// A cache of pages that are the same for everyone, by their request target, until any change of their resources.
/// Confined to one event loop, which receives every commit before the next request, so a cached page equals the result
/// of a query. Pages of searches are not cached: their order depends on who reads, which no event reports.
struct ListPageCache {
    /// The maximum number of cached pages. One more, and the cache starts empty.
    static let countMax = 64

    private var pages: [[UInt8]: DocumentResponse] = [:]

    subscript(_ target: RawSpan) -> DocumentResponse? {
        get { pages.isEmpty ? nil : pages[bytes(of: target)] }
        set {
            if pages.count >= Self.countMax { pages.removeAll(keepingCapacity: true) }
            pages[bytes(of: target)] = newValue
        }
    }

    /// Removes all pages, after a change that any of them may show.
    mutating func forget() { if !pages.isEmpty { pages.removeAll(keepingCapacity: true) } }
}
