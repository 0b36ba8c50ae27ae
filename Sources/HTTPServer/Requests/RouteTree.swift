/// A router's tree of path segments. It is flat: a search does no reference counting and no allocation.
struct RouteTree: Sendable {
    /// A path segment. Its children are a list of literals, linked by `sibling`, and at most one capture. -1 means
    /// none.
    private struct Node: Sendable {
        var segmentStart = 0
        var segmentCount = 0
        var firstLiteral = -1
        var sibling = -1
        var capture = -1
        var isRoute = false
    }

    private var nodes = [Node()]
    private var segments: [UInt8] = []

    var count: Int { nodes.count }

    /// Returns the node of a pattern, adding missing nodes.
    mutating func add(_ pattern: String) -> Int {
        precondition(pattern.utf8.first == ASCII.slash, "a pattern begins with /")
        var node = 0
        var captures = 0
        for segment in pattern.utf8.dropFirst().split(separator: ASCII.slash, omittingEmptySubsequences: false) {
            if segment.first == UInt8(ascii: "{"), segment.last == UInt8(ascii: "}") {
                captures += 1
                precondition(captures <= RouteCaptures.countMax, "too many captures")
                node = captureChild(of: node)
            } else {
                node = literalChild([UInt8](segment), of: node)
            }
        }
        nodes[node].isRoute = true
        return node
    }

    /// Returns the node of a path, or -1.
    func find(_ path: RawSpan, _ captures: inout RouteCaptures) -> Int {
        let bytes = path.bytes
        guard bytes.count > 0, bytes[0] == ASCII.slash else { return -1 }
        return find(bytes, 1, nodes.span, segments.span, 0, &captures)
    }

    /// Searches the literal child first, then the capture. It backtracks, so `/a/{x}` is found beside `/a/b/c`. The
    /// recursion is as deep as the patterns.
    private func find(
        _ path: Span<UInt8>, _ start: Int, _ nodes: Span<Node>, _ segments: Span<UInt8>, _ node: Int,
        _ captures: inout RouteCaptures
    ) -> Int {
        var end = start
        while end < path.count, path[end] != ASCII.slash { end &+= 1 }
        let isLast = end == path.count
        var child = nodes[node].firstLiteral
        while child >= 0 {
            if Self.same(path, start, end, segments, nodes[child].segmentStart, nodes[child].segmentCount) {
                let found =
                    isLast
                    ? nodes[child].isRoute ? child : -1
                    : find(path, end + 1, nodes, segments, child, &captures)
                if found >= 0 { return found }
                break
            }
            child = nodes[child].sibling
        }
        child = nodes[node].capture
        guard child >= 0, end > start else { return -1 }
        let mark = captures.count
        captures.append(start, end)
        let found =
            isLast ? nodes[child].isRoute ? child : -1 : find(path, end + 1, nodes, segments, child, &captures)
        if found < 0 { captures.count = mark }
        return found
    }

    @inline(__always)
    private static func same(
        _ path: Span<UInt8>, _ start: Int, _ end: Int, _ segments: Span<UInt8>, _ segment: Int, _ count: Int
    ) -> Bool {
        if end &- start != count { return false }
        for offset in 0..<count where path[start &+ offset] != segments[segment &+ offset] { return false }
        return true
    }

    private mutating func literalChild(_ segment: [UInt8], of parent: Int) -> Int {
        var last = -1
        var child = nodes[parent].firstLiteral
        while child >= 0 {
            let start = nodes[child].segmentStart
            if segments[start..<(start + nodes[child].segmentCount)].elementsEqual(segment) { return child }
            last = child
            child = nodes[child].sibling
        }
        var node = Node()
        node.segmentStart = segments.count
        node.segmentCount = segment.count
        segments.append(contentsOf: segment)
        nodes.append(node)
        let made = nodes.count - 1
        if last < 0 { nodes[parent].firstLiteral = made } else { nodes[last].sibling = made }
        return made
    }

    private mutating func captureChild(of parent: Int) -> Int {
        if nodes[parent].capture >= 0 { return nodes[parent].capture }
        nodes.append(Node())
        nodes[parent].capture = nodes.count - 1
        return nodes.count - 1
    }
}
