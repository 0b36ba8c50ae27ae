/// Finds the route of a path. A lookup allocates nothing.
///
/// A pattern is `/`-separated; `{name}` stands for one segment that is not empty. A literal segment wins over a capture.
/// HEAD takes the route of GET when it has none itself. Literals are compared as they are sent, without percent-decoding.
package struct Router<Route: Sendable>: Sendable {
    /// What a lookup found.
    @frozen
    package enum Match {
        /// The route, and where the captured segments are in the path.
        case found(Route, Captures)
        /// The path exists, but not for this method: the value of `Allow`.
        case methodNotAllowed(allow: [UInt8])
        /// No such path.
        case notFound
    }

    var tree = RouteTree()
    /// By node, then by method.
    var routes: [Route?] = []
    /// By node.
    var allows: [[UInt8]] = []

    /// A router without routes.
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

    /// The route of a path and a method.
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
