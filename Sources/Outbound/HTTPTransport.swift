/// Requests of many tasks, which a thread of libcurl's own makes side by side. It ends with the last reference.
package final class HTTPTransport: Sendable {
    private let loop: HTTPLoop

    /// A transport that goes through a Unix socket where one is given.
    package init(socketPath: String? = nil) throws(HTTPClientError) {
        loop = try HTTPLoop(socketPath: socketPath, publicOnly: nil)
    }

    /// Creates a transport that follows redirects and connects to public addresses only.
    package init(to addresses: PublicAddresses) throws(HTTPClientError) {
        loop = try HTTPLoop(socketPath: nil, publicOnly: addresses)
    }

    deinit { loop.stop() }

    /// Sends a request whose answer is taken as it comes. One from which nothing comes for so many seconds is given up.
    package func open(_ request: HTTPRequest, silentSecondsMax: Int) -> HTTPDownload {
        start(request, HTTPLoop.Patience(silentSecondsMax: silentSecondsMax))
    }

    /// Sends a request and waits for the whole answer, so many seconds and bytes at most. Redirects are not followed.
    package func send(
        _ request: HTTPRequest, secondsMax: Int = 30, bytesMax: Int = HTTPClient.bodyBytesMax
    ) async throws(HTTPClientError) -> HTTPClientResponse {
        try await start(request, HTTPLoop.Patience(secondsMax: secondsMax)).whole(bytesMax: bytesMax)
    }

    /// Waits so long, or until the task is cancelled: by the transport's own thread, whatever the others do.
    package func pause(for time: Duration) async {
        let pause = HTTPDownload(loop)
        loop.post(.end(pause, at: .now + time))
        await pause.ended()
    }

    private func start(_ request: HTTPRequest, _ patience: HTTPLoop.Patience) -> HTTPDownload {
        let download = HTTPDownload(loop)
        loop.post(.start(download, request, patience))
        return download
    }
}
