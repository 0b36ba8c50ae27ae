import Bytes
import Model
import Outbound

/// A loader of the images that `coverURL`s name. Each is fetched once for all requests that wait for it, and stored on
/// disk. A fetch is cancelled when no request waits for it any more.
actor CoverLoader {
    /// The maximum number of running fetches.
    static let fetchesMax = 256
    /// The time for which a failed fetch is not tried again.
    static let failureMemory = Duration.seconds(600)
    /// The maximum number of failures in memory.
    static let failuresMax = 4096

    /// The maximum number of running fetches for one reader, so that slow servers named by one reader do not delay
    /// others.
    static let fetchesPerReaderMax = 64

    private struct Fetch {
        let number: Int
        let reader: Int64
        let task: Task<CoverImage?, Never>
        var waiters = 0
    }

    private let transport: HTTPTransport
    private let fetchSecondsMax: Int
    private var cache: CoverCache
    private var fetches: [String: Fetch] = [:]
    private var fetchCount = 0
    private var failures: [String: ContinuousClock.Instant] = [:]
    nonisolated let counters = CoverCounters()

    /// Creates a loader that stores images in a directory, of `bytesMax` bytes at most. It fetches from this machine's
    /// own addresses only if `allowsLoopback` is true.
    init(directory: String, bytesMax: Int, allowsLoopback: Bool, fetchSecondsMax: Int) throws(HTTPClientError) {
        transport = try HTTPTransport(to: PublicAddresses(includingLoopback: allowsLoopback))
        self.fetchSecondsMax = fetchSecondsMax
        cache = CoverCache(directory: directory, bytesMax: bytesMax)
        counters.bytes.set(cache.bytes)
    }

    /// Returns the name of the file for the image of a URL.
    static func key(of url: String) -> String { Base64URL.text(of: SHA256.digest(of: Array(url.utf8)).bytes) }

    /// Returns the image at a URL, or `nil` if it cannot be fetched or is no image.
    ///
    /// - Parameters:
    ///   - key: The key of the URL.
    ///   - reader: The key of the reader for whom an image that is not on disk is fetched, or `nil` to fetch none.
    func image(at url: String, _ key: String, fetchingFor reader: Int64?) async -> CoverImage? {
        if let image = cache.read(key) { return image }
        guard let reader, failures[key].map({ $0 < .now }) ?? true else { return nil }
        if fetches[key] == nil {
            let own = fetches.values.count { $0.reader == reader }
            guard fetches.count < Self.fetchesMax, own < Self.fetchesPerReaderMax else { return nil }
            begin(url, key, for: reader)
        }
        guard let fetch = fetches[key] else { return nil }
        fetches[key]?.waiters += 1
        counters.waiting.add()
        return await withTaskCancellationHandler {
            await fetch.task.value
        } onCancel: {
            Task { await self.leave(key, fetch.number) }
        }
    }

    private func begin(_ url: String, _ key: String, for reader: Int64) {
        fetchCount += 1
        let number = fetchCount
        let task = Task(executorPreference: OutboundExecutor.shared) { [transport, fetchSecondsMax] () -> CoverImage? in
            let image = await Self.fetch(url, by: transport, secondsMax: fetchSecondsMax)
            await self.end(key, number, image, isCancelled: Task.isCancelled)
            return image
        }
        fetches[key] = Fetch(number: number, reader: reader, task: task)
        counters.fetches.add()
    }

    /// Returns the image at a URL, or `nil` after any failure.
    private static func fetch(
        _ url: String, by transport: HTTPTransport, secondsMax: Int
    ) async -> CoverImage? {
        let request = HTTPRequest("GET", url, fields: ["Accept: \(CoverImage.types)", "User-Agent: Lectern"])
        let response: HTTPClientResponse
        do throws(HTTPClientError) {
            response = try await transport.send(
                request, secondsMax: secondsMax, bytesMax: CoverImage.fetchedBytesMax)
        } catch {
            return nil
        }
        return response.status == 200 ? CoverImage(response.body) : nil
    }

    private func end(_ key: String, _ number: Int, _ image: CoverImage?, isCancelled: Bool) {
        if let fetch = fetches[key], fetch.number == number {
            fetches[key] = nil
            counters.waiting.add(-fetch.waiters)
        }
        if let image {
            cache.write(image, key)
            counters.bytes.set(cache.bytes)
        } else if !isCancelled {
            counters.failures.add()
            if failures.count >= Self.failuresMax { failures = failures.filter { $0.value >= .now } }
            if failures.count < Self.failuresMax { failures[key] = .now + Self.failureMemory }
        }
    }

    /// Removes a waiter that is gone.
    private func leave(_ key: String, _ number: Int) {
        guard fetches[key]?.number == number else { return }
        fetches[key]?.waiters -= 1
        counters.waiting.add(-1)
        guard fetches[key]?.waiters == 0 else { return }
        fetches.removeValue(forKey: key)?.task.cancel()
    }
}

/// The counts of cover fetches, for `/metrics`.
final class CoverCounters: Sendable {
    let fetches = AtomicNumber()
    let failures = AtomicNumber()
    /// The requests that wait for a fetch.
    let waiting = AtomicNumber()
    /// The bytes of all images on disk.
    let bytes = AtomicNumber()
}
