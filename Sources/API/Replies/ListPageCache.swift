import HTTPServer

/// A cache of pages that are the same for everyone, by their request target, until any change of their resources.
/// Confined to one event loop, which receives every commit before the next request, so a cached page equals the result
/// of a query. Pages of searches are not cached: their order depends on who reads, which no event reports.
struct ListPageCache {
    /// The maximum number of cached pages. One more, and the cache starts empty.
    static let countMax = 64

    private var pages: [[UInt8]: (page: DocumentResponse, seq: Int64)] = [:]

    /// Returns the page for a target, unless its position is before the log's first change, from which no client could
    /// continue.
    func page(for target: RawSpan, logStart: Int) -> DocumentResponse? {
        guard !pages.isEmpty, let (page, seq) = pages[bytes(of: target)], seq >= logStart - 1 else { return nil }
        return page
    }

    /// Adds a page with its position in the log.
    mutating func hold(_ page: DocumentResponse, at seq: Int64, for target: RawSpan) {
        if pages.count >= Self.countMax { pages.removeAll(keepingCapacity: true) }
        pages[bytes(of: target)] = (page, seq)
    }

    /// Removes all pages, after a change that any of them may show.
    mutating func forget() { if !pages.isEmpty { pages.removeAll(keepingCapacity: true) } }
}
