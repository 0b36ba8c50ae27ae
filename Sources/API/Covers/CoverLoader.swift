import Bytes
import Model
import Outbound
import Synchronization

/// Loads the images that `coverURL`s name: each is fetched once however many wait for it, and kept on disk. A fetch is cancelled when
/// nobody waits for it any more.
actor CoverLoader {
    struct Settings: Sendable {
        /// The directory of fetched images.
        var directory: String
        /// The maximum size of all images on disk, in bytes; 0 if nothing is to be fetched.
        var bytesMax: Int
        /// Whether this machine's own addresses may be fetched from, for tests.
        var allowsLoopback = false
    }

    /// The seconds that a fetch may take.
    static let fetchSecondsMax = 10
    /// The fetches that may be under way.
    static let fetchesMax = 256
    /// For how long a failed fetch is not tried again.
    static let failureMemory = Duration.seconds(600)
    /// The failures that are remembered.
    static let failuresMax = 4096

    private struct Fetch {
        let number: Int
        let task: Task<CoverImage?, Never>
        var waiters = 0
    }

    private let transport: HTTPTransport
    private var cache: CoverCache
    private var fetches: [String: Fetch] = [:]
    private var fetchCount = 0
    private var failures: [String: ContinuousClock.Instant] = [:]
    nonisolated let counters = CoverCounters()

    init(_ settings: Settings) throws(HTTPClientError) {
        transport = try HTTPTransport(to: PublicAddresses(includingLoopback: settings.allowsLoopback))
        cache = CoverCache(directory: settings.directory, bytesMax: settings.bytesMax)
        counters.bytes.store(cache.bytes, ordering: .relaxed)
    }

    /// Returns the image at a URL, or `nil` if there is none: it cannot be fetched, or is no image.
    ///
    /// - Parameter mayFetch: Whether an image that is not on disk is fetched.
    func image(at url: String, mayFetch: Bool) async -> CoverImage? {
        let key = Base64URL.text(of: SHA256.digest(of: Array(url.utf8)).bytes)
        if let image = cache.read(key) { return image }
        guard mayFetch, failures[key].map({ $0 < .now }) ?? true else { return nil }
        if fetches[key] == nil {
            guard fetches.count < Self.fetchesMax else { return nil }
            begin(url, key)
        }
        guard let fetch = fetches[key] else { return nil }
        fetches[key]?.waiters += 1
        counters.waiting.wrappingAdd(1, ordering: .relaxed)
        return await withTaskCancellationHandler {
            await fetch.task.value
        } onCancel: {
            Task { await self.leave(key, fetch.number) }
        }
    }

    private func begin(_ url: String, _ key: String) {
        fetchCount += 1
        let number = fetchCount
        let task = Task(executorPreference: ErrandQueue.shared) { [transport] () -> CoverImage? in
            let image = await Self.fetch(url, by: transport)
            await self.end(key, number, image, isCancelled: Task.isCancelled)
            return image
        }
        fetches[key] = Fetch(number: number, task: task)
        counters.fetches.wrappingAdd(1, ordering: .relaxed)
    }

    /// Returns the image at a URL, or `nil` for every reason why there is none.
    private static func fetch(_ url: String, by transport: HTTPTransport) async -> CoverImage? {
        let request = HTTPRequest("GET", url, fields: ["Accept: \(CoverImage.types)", "User-Agent: Lectern"])
        let response: HTTPClientResponse
        do throws(HTTPClientError) {
            response = try await transport.send(
                request, secondsMax: fetchSecondsMax, bytesMax: CoverImage.fetchedBytesMax)
        } catch {
            return nil
        }
        return response.status == 200 ? CoverImage(response.body) : nil
    }

    private func end(_ key: String, _ number: Int, _ image: CoverImage?, isCancelled: Bool) {
        if let fetch = fetches[key], fetch.number == number {
            fetches[key] = nil
            counters.waiting.wrappingSubtract(fetch.waiters, ordering: .relaxed)
        }
        if let image {
            cache.write(image, key)
            counters.bytes.store(cache.bytes, ordering: .relaxed)
        } else if !isCancelled {
            counters.failures.wrappingAdd(1, ordering: .relaxed)
            if failures.count >= Self.failuresMax { failures = failures.filter { $0.value >= .now } }
            if failures.count < Self.failuresMax { failures[key] = .now + Self.failureMemory }
        }
    }

    /// Notes that somebody who waited is gone.
    private func leave(_ key: String, _ number: Int) {
        guard fetches[key]?.number == number else { return }
        fetches[key]?.waiters -= 1
        counters.waiting.wrappingSubtract(1, ordering: .relaxed)
        guard fetches[key]?.waiters == 0 else { return }
        fetches.removeValue(forKey: key)?.task.cancel()
    }
}

/// The counts of cover fetches, for `/metrics`.
final class CoverCounters: Sendable {
    let fetches = Atomic(0)
    let failures = Atomic(0)
    /// The requests that wait for a fetch.
    let waiting = Atomic(0)
    /// The bytes of all images on disk.
    let bytes = Atomic(0)
}
