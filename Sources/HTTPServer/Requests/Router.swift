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

    var tree = RouteTree()
    /// The number of a route, or -1, by node and then by method.
    var routes: [Int] = []

    package init() {}

    /// Adds a route under a number, replacing an earlier one. The pattern begins with `/` and has at most
    /// `RouteCaptures.countMax` captures.
    package mutating func add(_ method: HTTPMethod, _ pattern: String, _ route: Int) {
        let node = tree.add(pattern)
        let methods = HTTPMethod.allCases.count
        while routes.count < tree.count * methods { routes.append(-1) }
        routes[node * methods + Int(method.rawValue)] = route
    }

    package func lookup(path: RawSpan, method: HTTPMethod) -> Match {
        var captures = RouteCaptures()
        let node = tree.find(path, &captures)
        if node < 0 { return .notFound }
        let first = node * 8
        let own = routes[first + Int(method.rawValue)]
        if own >= 0 { return .found(own, captures) }
        if method == .head, routes[first] >= 0 { return .found(routes[first], captures) }
        return .methodNotAllowed(allow: allow(node))
    }

    /// Returns the value of `Allow` for a node.
    private func allow(_ node: Int) -> [UInt8] {
        precondition(HTTPMethod.allCases.count == 8 && HTTPMethod.get.rawValue == 0, "lookup counts on it")
        var names: [String] = []
        for method in HTTPMethod.allCases where method != .other {
            let own = routes[node * 8 + Int(method.rawValue)] >= 0
            let asGet = method == .head && routes[node * 8] >= 0
            if own || asGet || method == .options { names.append("\(method.text)") }
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

    init() {}

    mutating func append(_ start: Int, _ end: Int) {
        starts[count] = Int32(truncatingIfNeeded: start)
        ends[count] = Int32(truncatingIfNeeded: end)
        count += 1
    }

    package func range(_ index: Int) -> Range<Int> {
        precondition(index >= 0 && index < count)
        return Int(starts[index])..<Int(ends[index])
    }

    /// Returns the bytes of a capture, still percent-encoded. `path` is the one that was looked up.
    @_lifetime(copy path)
    package func bytes(_ index: Int, in path: RawSpan) -> RawSpan {
        path.extracting(range(index))
    }

    /// Returns the percent-decoded text of a capture, or `nil` if it is malformed or not UTF-8.
    package func text(_ index: Int, in path: RawSpan) -> String? {
        PercentCoding.decode(bytes(index, in: path), plusIsSpace: false)
    }
}
