import CCurl
import Dispatch
import Synchronization

/// The thread of a transport. Other threads post orders to it; only this thread uses the libcurl handles.
final class HTTPTransportThread: Sendable {
    enum TransferCommand: Sendable {
        /// A request, with the maximum seconds for its response, and of silence.
        case start(HTTPRequest, secondsMax: Int?, silentSecondsMax: Int?)
        /// The buffer has space again.
        case resume
        case cancel
    }

    private struct Inbox {
        var orders: [(TransferCommand, HTTPDownload)] = []
        var isStopped = false
    }

    private let inbox = Mutex(Inbox())
    private let socketPath: String?
    private let publicOnly: PublicAddresses?
    // SAFETY: other threads only wake it, which libcurl allows, and only under the lock, until it is stopped.
    private nonisolated(unsafe) let multi: UnsafeMutableRawPointer

    init(socketPath: String?, publicOnly: PublicAddresses?) throws(HTTPClientError) {
        guard let made = curl_multi_init() else { throw HTTPClientError(description: "cannot start libcurl") }
        multi = made
        self.socketPath = socketPath
        self.publicOnly = publicOnly
        // A serial queue that is always busy acts as a thread.
        DispatchQueue(label: "lectern.outbound").async { self.run() }
    }

    func post(_ order: TransferCommand, for download: HTTPDownload) {
        let isTaken = inbox.withLock { inbox in
            guard !inbox.isStopped else { return false }
            inbox.orders.append((order, download))
            // It fails if a wake-up is already pending.
            curl_multi_wakeup(multi)
            return true
        }
        if !isTaken { download.end(Self.stopped) }
    }

    func stop() {
        inbox.withLock { inbox in
            inbox.isStopped = true
            // It fails if a wake-up is already pending.
            curl_multi_wakeup(multi)
        }
    }

    private static let stopped = Result<Void, HTTPClientError>.failure(
        HTTPClientError(description: "the client was closed"))

    private func run() {
        var transfers: [ObjectIdentifier: HTTPExchange] = [:]
        while true {
            let (orders, isStopped) = inbox.withLock { inbox in
                defer { inbox.orders = [] }
                return (inbox.orders, inbox.isStopped)
            }
            for (order, download) in orders { follow(order, download, &transfers) }
            if isStopped { break }
            var running: Int32 = 0
            // A failure belongs to a transfer and is reported when the transfer ends.
            curl_multi_perform(multi, &running)
            finish(&transfers)
            // It ends earlier if libcurl has a timer. If it fails, for lack of memory, it is retried after a pause.
            if curl_multi_poll(multi, nil, 0, 60_000, nil) != CURLM_OK { Self.pause() }
        }
        for id in transfers.keys { end(id, Self.stopped, &transfers) }
        // All transfers have been removed.
        curl_multi_cleanup(multi)
    }

    /// Waits for ten milliseconds.
    // No thread signals it: the wait ends by its timeout.
    static func pause() { _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(10)) }

    private func follow(
        _ order: TransferCommand, _ download: HTTPDownload, _ transfers: inout [ObjectIdentifier: HTTPExchange]
    ) {
        switch order {
        case .start(let request, let secondsMax, let silentSecondsMax):
            if download.hasEnded { return }
            do throws(HTTPClientError) {
                let exchange = try HTTPExchange(
                    request, socketPath: socketPath, secondsMax: secondsMax, silentSecondsMax: silentSecondsMax,
                    taker: download, publicOnly: publicOnly)
                guard curl_multi_add_handle(multi, exchange.handle) == CURLM_OK else {
                    throw HTTPClientError(description: "libcurl refused a request")
                }
                transfers[ObjectIdentifier(download)] = exchange
            } catch {
                download.end(.failure(error))
            }
        case .resume:
            // A failure is reported when the transfer ends.
            if let exchange = transfers[ObjectIdentifier(download)] { curl_easy_pause(exchange.handle, CURLPAUSE_CONT) }
        case .cancel: end(ObjectIdentifier(download), Self.stopped, &transfers)
        }
    }

    private func finish(_ transfers: inout [ObjectIdentifier: HTTPExchange]) {
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left) {
            let handle = message.pointee.easy_handle
            guard message.pointee.msg == CURLMSG_DONE,
                let (id, exchange) = transfers.first(where: { $0.value.handle == handle })
            else { continue }
            end(id, exchange.outcome(message.pointee.data.result), &transfers)
        }
    }

    private func end(
        _ id: ObjectIdentifier, _ outcome: Result<Void, HTTPClientError>,
        _ transfers: inout [ObjectIdentifier: HTTPExchange]
    ) {
        guard let exchange = transfers.removeValue(forKey: id) else { return }
        // Only after this call may the handle be freed. It fails for a handle that was not added.
        curl_multi_remove_handle(multi, exchange.handle)
        exchange.taker.end(outcome)
    }
}
