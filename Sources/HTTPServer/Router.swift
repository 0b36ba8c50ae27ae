/// Finds the route of a path. A lookup allocates nothing.
///
/// A pattern is `/`-separated; `{name}` stands for one segment that is not empty. A literal segment wins over a capture.
/// HEAD takes the route of GET when it has none itself. Literals are compared as they are sent, without percent-decoding.
package struct Router: Sendable {
    package enum Match {
        /// The route, by its number, and where the captured segments are in the path.
        case found(Int, Captures)
        /// The path exists, but not for this method: the value of `Allow`.
        case methodNotAllowed(allow: [UInt8])
        case notFound
    }

    var tree = RouteTree()
    /// By node, then by method: the number of a route; -1 is none.
    var routes: [Int] = []
    /// By node.
    var allows: [[UInt8]] = []

    package init() {}

    /// Adds a route under a number. The pattern begins with `/` and has at most `Captures.countMax` captures; adding the same twice replaces.
    package mutating func add(_ method: Method, _ pattern: String, _ route: Int) {
        let node = tree.add(pattern)
        let methods = Method.allCases.count
        while routes.count < tree.count * methods { routes.append(-1) }
        while allows.count < tree.count { allows.append([]) }
        routes[node * methods + Int(method.rawValue)] = route
        allows[node] = allow(node)
    }

    package func lookup(path: RawSpan, method: Method) -> Match {
        var captures = Captures()
        let node = tree.find(path, &captures)
        if node < 0 { return .notFound }
        let first = node * 8
        let own = routes[first + Int(method.rawValue)]
        if own >= 0 { return .found(own, captures) }
        if method == .head, routes[first] >= 0 { return .found(routes[first], captures) }
        return .methodNotAllowed(allow: allows[node])
    }

    private func allow(_ node: Int) -> [UInt8] {
        precondition(Method.allCases.count == 8 && Method.get.rawValue == 0, "lookup counts on it")
        var names: [String] = []
        for method in Method.allCases where method != .other {
            let own = routes[node * 8 + Int(method.rawValue)] >= 0
            let asGet = method == .head && routes[node * 8] >= 0
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
