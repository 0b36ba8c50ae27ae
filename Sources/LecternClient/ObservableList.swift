public import Model
public import Observation

/// The first page of a list on the server, kept up to date as long as this object exists.
///
/// While the server is down the last known items stay, and `state` reports it.
@MainActor @Observable
public final class ObservableList<Value: Resource>: StreamFollower {
    /// The items, in the list's order.
    public private(set) var items: [Value] = []
    public internal(set) var state = ConnectionState.connecting

    /// The watched path.
    package let path: String
    @ObservationIgnored private var task: Task<Void, Never>?

    /// Watches the list at a path, which may have a query: `/v1/readings?state=reading&limit=20`. Without a limit it
    /// has the maximum length of a page. With a limit the server sends the place of each item, but not with a `cursor`,
    /// which the path must not have.
    public init(_ client: LecternClient, path: String) {
        let isLimited = path.contains("?limit=") || path.contains("&limit=")
        self.path = isLimited ? path : path + (path.contains("?") ? "&" : "?") + "limit=100"
        task = follow(client.watch(self.path))
    }

    deinit { task?.cancel() }

    func take(_ event: Event) throws(LecternClientError) {
        switch try event.news(of: Value.self) {
        case .snapshot(let json): items = try Page(json).items
        case .now(let value, let following):
            items.removeAll { $0.id == value.id }
            items.insert(value, at: items.firstIndex { $0.id == following } ?? items.endIndex)
        case .gone(let id): items.removeAll { $0.id == id }
        case .over: items = []
        case .other: break
        }
    }
}
