import JSON
public import Model
public import Observation

/// The first page of a list on the server, kept up to date as long as this object exists.
///
/// While the server is down the last known items stay, and `state` reports it.
@MainActor @Observable
public final class ObservableList<Value: Resource> {
    /// The items, in the list's order.
    public private(set) var items: [Value] = []
    public private(set) var state = ConnectionState.connecting

    /// The watched path.
    package let path: String
    @ObservationIgnored private let client: LecternClient
    /// The change as of which a page was read. `items` also contain the changes after it, up to `latest`.
    @ObservationIgnored private var base: Int64 = 0
    @ObservationIgnored private var latest: Int64 = 0
    /// A Boolean value indicating whether the list continues. A following item then takes the place of a removed one.
    @ObservationIgnored private var hasMore = false
    /// A Boolean value indicating whether the server sends positions of new items, and items that take the place of
    /// removed ones.
    @ObservationIgnored private var isPlaced = false
    @ObservationIgnored private var task: Task<Void, Never>?
    @ObservationIgnored private var renewal: Task<Void, Never>?

    /// Watches the list at a path, which may have a query: `/v1/readings?state=reading&limit=20`. Without a limit it
    /// has the maximum length of a page.
    public init(_ client: LecternClient, path: String) {
        let isLimited = path.contains("?limit=") || path.contains("&limit=")
        let path = isLimited ? path : path + (path.contains("?") ? "&" : "?") + "limit=100"
        (self.client, self.path) = (client, path)
        let stream = client.watch(path)
        task = Task { [weak self] in
            let connection = EventConnection(stream)
            while let step = await connection.next() {
                // The object is retained only while it handles a step.
                guard let self else { return }
                take(step)
            }
        }
    }

    deinit {
        task?.cancel()
        renewal?.cancel()
    }

    private func take(_ step: EventStreamStep) {
        switch step {
        case .connection(let state): self.state = state
        case .event(let event): do throws(LecternClientError) { try take(event) } catch { fail(error) }
        }
    }

    private func take(_ event: Event) throws(LecternClientError) {
        switch try event.news(of: Value.self) {
        case .snapshot(let json):
            show(try Page<Value>(json))
        case .now(let value, let seq, let place):
            guard seq > base else { return }
            latest = max(latest, seq)
            take(value, place)
        case .gone(let id, let seq):
            guard seq > base else { return }
            latest = max(latest, seq)
            guard let index = items.firstIndex(where: { $0.id == id }) else { return }
            items.remove(at: index)
            if hasMore, !isPlaced { renew() }
        case .over: items = []
        case .other: break
        }
    }

    private func take(_ value: Value, _ place: Event.ListPosition) {
        let index = items.firstIndex { $0.id == value.id }
        if case .unspecified = place {} else { isPlaced = true }
        switch place {
        case .unspecified:
            // A known item stays in its place. Only the server knows the place of a new one.
            if let index { items[index] = value } else { renew() }
        case .last:
            if let index { items.remove(at: index) }
            items.append(value)
        case .before(let neighbour):
            if let index { items.remove(at: index) }
            guard let index = items.firstIndex(where: { $0.id == neighbour }) else { return renew() }
            items.insert(value, at: index)
        }
    }

    /// Fetches the page again, until it includes all received changes.
    private func renew() {
        guard renewal == nil else { return }
        renewal = Task { [weak self, client, path] in
            var backoff = ReconnectionBackoff()
            var random = SystemRandomNumberGenerator()
            while !Task.isCancelled {
                do throws(LecternClientError) {
                    let page: Page<Value> = try await client.list(path)
                    guard let self else { return }
                    if take(page) { return }
                } catch {
                    guard error.passes else {
                        self?.fail(error)
                        return
                    }
                    await client.pause(for: backoff.next(using: &random))
                }
            }
        }
    }

    private func take(_ page: Page<Value>) -> Bool {
        guard page.seq >= latest else { return false }
        renewal = nil
        show(page)
        return true
    }

    private func show(_ page: Page<Value>) {
        (items, base, latest) = (page.items, page.seq, page.seq)
        hasMore = page.next != nil
    }

    private func fail(_ error: LecternClientError) {
        state = .ended(.failed(error))
        task?.cancel()
    }
}
