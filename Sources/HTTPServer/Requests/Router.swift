/// A table that finds the route of a path without allocating.
///
/// A pattern is `/`-separated; `{name}` matches one non-empty segment. A literal segment takes precedence over a
/// capture. HEAD uses the route of GET unless it has its own. Literals are compared as sent, without percent-decoding.
package struct Router: Sendable {
    package enum Match {
        /// The route's number, and the ranges of the captured segments in the path.
        case found(Int, RouteCaptures)
        /// The path has no route for this method. The associated value is that of `Allow`.
        case methodNotAllowed(allow: [UInt8])
        case notFound
    }

    /// A segment of patterns. Its children are a list of literals, linked by `sibling`, and at most one capture. -1 means
    /// none. Nodes refer to each other by their index, so a search does no reference counting.
    private struct Node: Sendable {
        /// The range of its text in `texts`.
        var text = 0..<0
        var firstLiteral = -1
        var sibling = -1
        var capture = -1
        /// The number of the route for each method, or -1.
        var routes = SIMD8<Int32>(repeating: -1)
        var isRoute: Bool { routes != SIMD8(repeating: -1) }
    }

    private var nodes = [Node()]
    private var texts: [UInt8] = []

    package init() {}

    /// Adds a route under a number, replacing an earlier one. The pattern begins with `/` and has at most
    /// `RouteCaptures.countMax` captures.
    package mutating func add(_ method: HTTPMethod, _ pattern: String, _ route: Int) {
        precondition(pattern.utf8.first == ASCII.slash, "a pattern begins with /")
        var (node, captures) = (0, 0)
        for segment in pattern.utf8.dropFirst().split(separator: ASCII.slash, omittingEmptySubsequences: false) {
            if segment.first == UInt8(ascii: "{"), segment.last == UInt8(ascii: "}") {
                captures += 1
                precondition(captures <= RouteCaptures.countMax, "too many captures")
                node = captureChild(of: node)
            } else {
                node = literalChild([UInt8](segment), of: node)
            }
        }
        nodes[node].routes[Int(method.rawValue)] = Int32(route)
    }

    private mutating func literalChild(_ text: [UInt8], of parent: Int) -> Int {
        var (last, child) = (-1, nodes[parent].firstLiteral)
        while child >= 0 {
            if texts[nodes[child].text].elementsEqual(text) { return child }
            (last, child) = (child, nodes[child].sibling)
        }
        nodes.append(Node(text: texts.count..<(texts.count + text.count)))
        texts += text
        let made = nodes.count - 1
        if last < 0 { nodes[parent].firstLiteral = made } else { nodes[last].sibling = made }
        return made
    }

    private mutating func captureChild(of parent: Int) -> Int {
        if nodes[parent].capture < 0 {
            nodes.append(Node())
            nodes[parent].capture = nodes.count - 1
        }
        return nodes[parent].capture
    }

    package func lookup(path: RawSpan, method: HTTPMethod) -> Match {
        var captures = RouteCaptures()
        let bytes = path.bytes
        guard bytes.count > 0, bytes[0] == ASCII.slash,
            let node = find(bytes, 1, nodes.span, texts.span, 0, &captures)
        else { return .notFound }
        let routes = nodes[node].routes
        let own = routes[Int(method.rawValue)]
        if own >= 0 { return .found(Int(own), captures) }
        let get = routes[Int(HTTPMethod.get.rawValue)]
        if method == .head, get >= 0 { return .found(Int(get), captures) }
        return .methodNotAllowed(allow: Self.allow(routes))
    }

    /// Returns the node of the rest of a path below a node. It searches the literal child first, then the capture. It
    /// backtracks, so `/a/{x}` is found beside `/a/b/c`. The recursion is as deep as the patterns.
    private func find(
        _ path: Span<UInt8>, _ start: Int, _ nodes: Span<Node>, _ texts: Span<UInt8>, _ node: Int,
        _ captures: inout RouteCaptures
    ) -> Int? {
        // The segment before was the last one.
        if start > path.count { return nodes[node].isRoute ? node : nil }
        var end = start
        while end < path.count, path[end] != ASCII.slash { end &+= 1 }
        var child = nodes[node].firstLiteral
        while child >= 0, !Self.areEqual(path, start..<end, texts, nodes[child].text) { child = nodes[child].sibling }
        if child >= 0, let found = find(path, end + 1, nodes, texts, child, &captures) { return found }
        child = nodes[node].capture
        guard child >= 0, end > start else { return nil }
        let mark = captures.count
        captures.append(start, end)
        if let found = find(path, end + 1, nodes, texts, child, &captures) { return found }
        captures.count = mark
        return nil
    }

    @inline(__always)
    private static func areEqual(
        _ path: Span<UInt8>, _ segment: Range<Int>, _ texts: Span<UInt8>, _ text: Range<Int>
    ) -> Bool {
        if segment.count != text.count { return false }
        for offset in 0..<text.count where path[segment.lowerBound &+ offset] != texts[text.lowerBound &+ offset] {
            return false
        }
        return true
    }

    /// Returns the value of `Allow` for the routes of a path.
    private static func allow(_ routes: SIMD8<Int32>) -> [UInt8] {
        var names: [String] = []
        for method in HTTPMethod.allCases where method != .other {
            let asGet = method == .head && routes[Int(HTTPMethod.get.rawValue)] >= 0
            if routes[Int(method.rawValue)] >= 0 || asGet || method == .options { names.append("\(method.text)") }
        }
        return [UInt8](names.joined(separator: ", ").utf8)
    }
}

/// The ranges of a path's captured segments, as offsets.
package struct RouteCaptures: Sendable {
    /// The maximum number of captures in one pattern.
    package static var countMax: Int { 4 }

    package internal(set) var count = 0
    private var starts = SIMD4<Int32>()
    private var ends = SIMD4<Int32>()

    mutating func append(_ start: Int, _ end: Int) {
        starts[count] = Int32(truncatingIfNeeded: start)
        ends[count] = Int32(truncatingIfNeeded: end)
        count += 1
    }

    /// Returns the bytes of a capture, still percent-encoded. `path` is the one that was looked up.
    @_lifetime(copy path)
    package func bytes(_ index: Int, in path: RawSpan) -> RawSpan {
        precondition(index >= 0 && index < count)
        return path.extracting(Int(starts[index])..<Int(ends[index]))
    }

    /// Returns the percent-decoded text of a capture, or `nil` if it is malformed or not UTF-8.
    package func text(_ index: Int, in path: RawSpan) -> String? {
        PercentCoding.decode(bytes(index, in: path), plusIsSpace: false)
    }
}
