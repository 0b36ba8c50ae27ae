/// Finds the route of a path: a tree of segments, built once. A lookup allocates nothing.
///
/// A pattern is `/`-separated; `{name}` stands for one segment that is not empty. A literal segment wins over a capture.
/// HEAD takes the route of GET when it has none itself. Literals are compared as they are sent, without percent-decoding.
public struct Router<Route: Sendable>: Sendable {
    /// What a lookup found.
    public enum Match {
        /// The route, and where the captured segments are in the path.
        case found(Route, Captures)
        /// The path exists, but not for this method: the value of `Allow`.
        case methodNotAllowed(allow: [UInt8])
        /// No such path.
        case notFound
    }

    /// One segment of the tree. Children are few: they are searched one after the other.
    private struct Node: Sendable {
        var literals: [(segment: [UInt8], node: Int)] = []
        var capture: Int?
        var routes = [Route?](repeating: nil, count: Method.allCases.count)
        var allow: [UInt8] = []
        var isRoute: Bool { !allow.isEmpty }
    }

    private var nodes = [Node()]

    /// A router without routes.
    public init() {}

    /// Adds a route. The pattern begins with `/` and has at most `Captures.countMax` captures; adding the same twice replaces.
    public mutating func add(_ method: Method, _ pattern: String, _ route: Route) {
        precondition(pattern.utf8.first == ASCII.slash, "a pattern begins with /")
        var node = 0
        var captures = 0
        for segment in pattern.utf8.dropFirst().split(separator: ASCII.slash, omittingEmptySubsequences: false) {
            if segment.first == UInt8(ascii: "{"), segment.last == UInt8(ascii: "}") {
                captures += 1
                precondition(captures <= Captures.countMax, "too many captures")
                node = captureChild(of: node)
            } else {
                node = literalChild([UInt8](segment), of: node)
            }
        }
        nodes[node].routes[Int(method.rawValue)] = route
        nodes[node].allow = allow(nodes[node])
    }

    /// The route of a path and a method.
    public func lookup(path: RawSpan, method: Method) -> Match {
        let bytes = path.bytes
        guard bytes.count > 0, bytes[0] == ASCII.slash else { return .notFound }
        var captures = Captures()
        guard let index = find(bytes, 1, 0, &captures) else { return .notFound }
        if let route = nodes[index].routes[Int(method.rawValue)] { return .found(route, captures) }
        if method == .head, let route = nodes[index].routes[Int(Method.get.rawValue)] { return .found(route, captures) }
        return .methodNotAllowed(allow: nodes[index].allow)
    }

    /// The value of `Allow` for everything the server knows, for `OPTIONS *`.
    public static var allowAll: StaticString { "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS" }

    /// Literal first, then capture: with a way back, so that `/a/{x}` is found beside `/a/b/c`.
    private func find(_ path: Span<UInt8>, _ start: Int, _ node: Int, _ captures: inout Captures) -> Int? {
        var end = start
        while end < path.count, path[end] != ASCII.slash { end += 1 }
        if let child = literal(path, start, end, node) {
            if end == path.count {
                if nodes[child].isRoute { return child }
            } else if let found = find(path, end + 1, child, &captures) {
                return found
            }
        }
        guard let child = nodes[node].capture, end > start else { return nil }
        let mark = captures.count
        captures.append(start, end)
        if end == path.count {
            if nodes[child].isRoute { return child }
        } else if let found = find(path, end + 1, child, &captures) {
            return found
        }
        captures.count = mark
        return nil
    }

    private func literal(_ path: Span<UInt8>, _ start: Int, _ end: Int, _ node: Int) -> Int? {
        let count = end - start
        search: for index in nodes[node].literals.indices where nodes[node].literals[index].segment.count == count {
            for offset in 0..<count where nodes[node].literals[index].segment[offset] != path[start + offset] {
                continue search
            }
            return nodes[node].literals[index].node
        }
        return nil
    }

    private mutating func literalChild(_ segment: [UInt8], of node: Int) -> Int {
        if let known = nodes[node].literals.first(where: { $0.segment == segment }) { return known.node }
        nodes.append(Node())
        nodes[node].literals.append((segment, nodes.count - 1))
        return nodes.count - 1
    }

    private mutating func captureChild(of node: Int) -> Int {
        if let known = nodes[node].capture { return known }
        nodes.append(Node())
        nodes[node].capture = nodes.count - 1
        return nodes.count - 1
    }

    private func allow(_ node: Node) -> [UInt8] {
        var names: [String] = []
        for method in Method.allCases where method != .other {
            let own = node.routes[Int(method.rawValue)] != nil
            let asGet = method == .head && node.routes[Int(Method.get.rawValue)] != nil
            if own || asGet || method == .options { names.append("\(method.text)") }
        }
        return [UInt8](names.joined(separator: ", ").utf8)
    }
}
