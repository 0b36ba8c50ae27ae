import JSON
public import Model
public import Observation

/// The first page of a list as it is on the server, kept up to date for as long as somebody holds this.
///
/// What there was last stays while the server is away; `state` says so.
@MainActor @Observable
public final class ObservableList<Value: Resource> {
    /// In the list's order.
    public private(set) var items: [Value] = []
    public private(set) var state = ConnectionState.connecting

    @ObservationIgnored private let client: LecternClient
    @ObservationIgnored private let path: String
    /// `items` are a page as of that change, and what came of changes after it.
    @ObservationIgnored private var base: Int64 = 0
    @ObservationIgnored private var latest: Int64 = 0
    @ObservationIgnored private var task: Task<Void, Never>?
    @ObservationIgnored private var renewal: Task<Void, Never>?

    /// The list at a path, which may have a query: `/v1/readings?state=reading&limit=20`.
    public init(_ client: LecternClient, path: String) {
        (self.client, self.path) = (client, path)
        let steps = client.watch(path).steps
        task = Task { [weak self] in
            for await step in steps {
                // Held for no longer than it takes.
                guard let self else { return }
                take(step)
            }
        }
    }

    deinit {
        task?.cancel()
        renewal?.cancel()
    }

    private func take(_ step: EventStream.Steps.Step) {
        switch step {
        case .connection(let state): self.state = state
        case .event(let event): do throws(LecternClientError) { try take(event) } catch { fail(error) }
        }
    }

    private func take(_ event: Event) throws(LecternClientError) {
        switch try event.news(of: Value.self) {
        case .snapshot(let json):
            let page = try Page<Value>(json)
            (items, base, latest) = (page.items, page.seq, page.seq)
        case .now(let value, let seq, let place):
            guard seq > base else { return }
            latest = max(latest, seq)
            take(value, place)
        case .gone(let id, let seq):
            guard seq > base else { return }
            latest = max(latest, seq)
            items.removeAll { $0.id == id }
        case .over: items = []
        case .other: break
        }
    }

    private func take(_ value: Value, _ place: Event.Place) {
        let index = items.firstIndex { $0.id == value.id }
        switch place {
        case .unsaid:
            // It stays where it is. Where it comes in, only the server knows.
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

    /// Asks for the page anew, until it is as new as what has been heard.
    private func renew() {
        guard renewal == nil else { return }
        renewal = Task { [weak self, client, path] in
            var backoff = Backoff()
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
                    do { try await Task.sleep(for: backoff.next(using: &random)) } catch { return }
                }
            }
        }
    }

    private func take(_ page: Page<Value>) -> Bool {
        guard page.seq >= latest else { return false }
        (items, base, latest, renewal) = (page.items, page.seq, page.seq, nil)
        return true
    }

    private func fail(_ error: LecternClientError) {
        state = .ended(.failed(error))
        task?.cancel()
    }
}
