/// Finds the route of a path. A lookup allocates nothing.
///
/// A pattern is `/`-separated; `{name}` stands for one segment that is not empty. A literal segment wins over a capture.
/// HEAD takes the route of GET when it has none itself. Literals are compared as they are sent, without percent-decoding.
package struct Router<Route: Sendable>: Sendable {
    @frozen
    package enum Match {
        /// The route, and where the captured segments are in the path.
        case found(Route, Captures)
        /// The path exists, but not for this method: the value of `Allow`.
        case methodNotAllowed(allow: [UInt8])
        case notFound
    }

    var tree = RouteTree()
    /// By node, then by method.
    var routes: [Route?] = []
    /// By node.
    var allows: [[UInt8]] = []

    package init() {}

    /// Adds a route. The pattern begins with `/` and has at most `Captures.countMax` captures; adding the same twice replaces.
    package mutating func add(_ method: Method, _ pattern: String, _ route: Route) {
        let node = tree.add(pattern)
        let methods = Method.allCases.count
        while routes.count < tree.count * methods { routes.append(nil) }
        while allows.count < tree.count { allows.append([]) }
        routes[node * methods + Int(method.rawValue)] = route
        allows[node] = allow(node)
    }

    package func lookup(path: RawSpan, method: Method) -> Match {
        var captures = Captures()
        let node = tree.find(path, &captures)
        if node < 0 { return .notFound }
        let first = node * 8
        if let route = routes[first + Int(method.rawValue)] { return .found(route, captures) }
        if method == .head, let route = routes[first] { return .found(route, captures) }
        return .methodNotAllowed(allow: allows[node])
    }

    private func allow(_ node: Int) -> [UInt8] {
        precondition(Method.allCases.count == 8 && Method.get.rawValue == 0, "lookup counts on it")
        var names: [String] = []
        for method in Method.allCases where method != .other {
            let own = routes[node * 8 + Int(method.rawValue)] != nil
            let asGet = method == .head && routes[node * 8] != nil
            if own || asGet || method == .options { names.append("\(method.text)") }
        }
        return [UInt8](names.joined(separator: ", ").utf8)
    }
}

/// Where the captured segments of a path are: offsets in the path, no copies.
package struct Captures: Sendable {
    /// Captures in one pattern.
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

    /// The bytes of a capture, still percent-encoded. `path` is the one that was looked up.
    @_lifetime(copy path)
    package func bytes(_ index: Int, in path: RawSpan) -> RawSpan {
        path.extracting(range(index))
    }

    /// The text of a capture, percent-decoded; nil when it is malformed or not UTF-8.
    package func text(_ index: Int, in path: RawSpan) -> String? {
        PercentCoding.decode(bytes(index, in: path), plusIsSpace: false)
    }
}
