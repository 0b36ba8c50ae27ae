/// What `lectern watch` is given: a path, or a URL with the server in it.
struct WatchedURL {
    /// Nil where only a path is said.
    let origin: String?
    let path: String

    init(_ text: String) throws(Arguments.Misuse) {
        if text.hasPrefix("/") {
            (origin, path) = (nil, text)
            return
        }
        let host = text.hasPrefix("http://") ? text.dropFirst(7) : text.hasPrefix("https://") ? text.dropFirst(8) : ""
        guard let slash = host.firstIndex(of: "/"), slash > host.startIndex else {
            throw Arguments.Misuse(
                message: "\"\(text)\" is nothing to watch: say a path, such as /v1/readings/ID, or a URL with one.")
        }
        origin = String(text[..<slash])
        path = String(host[slash...])
    }
}
