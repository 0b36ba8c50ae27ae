/// A client for concurrent requests of many tasks, which a thread with libcurl performs. The thread ends with the last
/// reference.
package final class HTTPTransport: Sendable {
    private let loop: HTTPTransportThread

    /// Creates a transport, which uses a Unix socket if `socketPath` is given. With `addresses` it follows redirects, and
    /// connects to these addresses only.
    package init(socketPath: String? = nil, to addresses: PublicAddresses? = nil) throws(HTTPClientError) {
        loop = try HTTPTransportThread(socketPath: socketPath, publicOnly: addresses)
    }

    deinit { loop.stop() }

    /// Sends a request whose response is consumed as it arrives. It is given up after `secondsMax`, and after
    /// `silentSecondsMax` without a byte, if these are given.
    package func open(_ request: HTTPRequest, secondsMax: Int? = nil, silentSecondsMax: Int? = nil) -> HTTPDownload {
        let download = HTTPDownload(loop)
        loop.post(.start(request, secondsMax: secondsMax, silentSecondsMax: silentSecondsMax), for: download)
        return download
    }

    /// Sends a request and waits for the complete response, within the given seconds and bytes. Redirects are not
    /// followed.
    package func send(
        _ request: HTTPRequest, secondsMax: Int = 30, bytesMax: Int = HTTPClientResponse.bodyBytesMax
    ) async throws(HTTPClientError) -> HTTPClientResponse {
        try await open(request, secondsMax: secondsMax).whole(bytesMax: bytesMax)
    }
}
