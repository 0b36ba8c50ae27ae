import CCurl
import Synchronization

/// A response that one task consumes as it arrives. At most about `heldBytesMax` are buffered; beyond that the socket
/// is not read.
package final class HTTPDownload: Sendable {
    static let heldBytesMax = 1 << 20

    private struct State {
        var head: HTTPClientResponse?
        var held: [UInt8] = []
        var isPaused = false
        /// The result, or `nil` while the response is incomplete.
        var end: Result<Void, HTTPClientError>?
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())
    private let loop: HTTPTransportThread

    init(_ loop: HTTPTransportThread) { self.loop = loop }

    // MARK: - For the consuming task

    /// Returns the status and fields once they have arrived.
    package func head() async throws(HTTPClientError) -> HTTPClientResponse {
        await wait { $0.head != nil }
        let (head, end) = state.withLock { ($0.head, $0.end) }
        if let head { return head }
        try end?.get()
        throw HTTPClientError(description: "the server closed the connection without a response")
    }

    /// Returns the bytes since the last call, at least one, or `nil` after the end.
    package func next() async throws(HTTPClientError) -> [UInt8]? {
        await wait { !$0.held.isEmpty }
        let (bytes, goesOn, end) = state.withLock { state in
            let taken = (state.held, state.isPaused, state.end)
            (state.held, state.isPaused) = ([], false)
            return taken
        }
        if goesOn { loop.post(.resume, for: self) }
        if !bytes.isEmpty { return bytes }
        try end?.get()
        return nil
    }

    /// Returns the complete response.
    package func whole(bytesMax: Int = HTTPClientResponse.bodyBytesMax) async throws(HTTPClientError)
        -> HTTPClientResponse
    {
        let head = try await head()
        var body: [UInt8] = []
        while let bytes = try await next() {
            guard body.count + bytes.count <= bytesMax else {
                cancel()
                throw HTTPClientError(description: "the response has more than \(bytesMax) bytes")
            }
            body += bytes
        }
        return HTTPClientResponse(status: head.status, head: head.head, body: body)
    }

    /// A Boolean value indicating whether nothing more arrives than the buffered bytes.
    package var hasEnded: Bool { state.withLock { $0.end != nil } }

    /// Cancels the request and closes its connection.
    package func cancel() {
        end(.failure(HTTPClientError(description: "the request was cancelled")))
        loop.post(.cancel, for: self)
    }

    /// Waits for a condition or the end, without leaving the caller's actor.
    private func wait(
        isolation actor: isolated (any Actor)? = #isolation,
        until isThere: @escaping @Sendable (borrowing State) -> Bool
    ) async {
        await withTaskCancellationHandler {
            // The call ignores no result: its argument is the receiver.
            _ = actor
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if isThere(state) || state.end != nil { return true }
                    state.waiter = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            cancel()
        }
    }

    // MARK: - For the loop

    func begin(_ head: HTTPClientResponse) {
        guard head.status >= 200 else { return }
        wake { $0.head = $0.head ?? head }
    }

    /// Buffers bytes and returns their number. Returns fewer to make libcurl abort, or a code to make it pause.
    func take(_ bytes: UnsafeRawBufferPointer) -> Int {
        var taken = bytes.count
        wake { state in
            guard state.end == nil, state.held.count < Self.heldBytesMax else {
                state.isPaused = state.end == nil
                taken = state.isPaused ? Int(CURL_WRITEFUNC_PAUSE) : 0
                return
            }
            state.held.append(contentsOf: bytes)
        }
        return taken
    }

    /// Sets the result, unless there is one already.
    func end(_ outcome: Result<Void, HTTPClientError>) { wake { $0.end = $0.end ?? outcome } }

    private func wake(_ change: (inout State) -> Void) {
        let waiter = state.withLock { state in
            change(&state)
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume()
    }
}
