import CCurl
import Synchronization

/// An answer that one task takes as it comes. What it does not take is not read: no more than `heldBytesMax` waits here.
package final class HTTPDownload: Sendable {
    static let heldBytesMax = 1 << 20

    private struct State {
        var head: HTTPClientResponse?
        var held: [UInt8] = []
        var isPaused = false
        /// Nil while it is under way.
        var end: Result<Void, HTTPClientError>?
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())
    private let loop: HTTPLoop

    init(_ loop: HTTPLoop) { self.loop = loop }

    // MARK: - The task that takes it

    /// Status and fields, once they are there.
    package func head() async throws(HTTPClientError) -> HTTPClientResponse {
        await wait { $0.head != nil }
        let (head, end) = state.withLock { ($0.head, $0.end) }
        if let head { return head }
        try end?.get()
        throw HTTPClientError(description: "the server hung up without an answer")
    }

    /// What has come since the last time, at least a byte; nil after the last.
    package func next() async throws(HTTPClientError) -> [UInt8]? {
        await wait { !$0.held.isEmpty }
        let (bytes, goesOn, end) = state.withLock { state in
            let taken = (state.held, state.isPaused, state.end)
            (state.held, state.isPaused) = ([], false)
            return taken
        }
        if goesOn { loop.post(.goOn(self)) }
        if !bytes.isEmpty { return bytes }
        try end?.get()
        return nil
    }

    /// All of it.
    package func whole(bytesMax: Int = HTTPClient.bodyBytesMax) async throws(HTTPClientError) -> HTTPClientResponse {
        let head = try await head()
        var body: [UInt8] = []
        while let bytes = try await next() {
            guard body.count + bytes.count <= bytesMax else {
                cancel()
                throw HTTPClientError(description: "the answer has more than \(bytesMax) bytes")
            }
            body += bytes
        }
        return HTTPClientResponse(status: head.status, head: head.head, body: body)
    }

    /// Waits for its end, whatever that is.
    func ended() async { await wait { _ in false } }

    /// Whether nothing more is to come than what waits here.
    package var hasEnded: Bool { state.withLock { $0.end != nil } }

    /// Ends it: the connection is closed.
    package func cancel() {
        end(.failure(HTTPClientError(description: "the request was cancelled")))
        loop.post(.cancel(self))
    }

    /// Waits until something is so, or the end, and leaves nobody's actor.
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

    // MARK: - The loop

    func begin(_ head: HTTPClientResponse) {
        guard head.status >= 200 else { return }
        wake { $0.head = $0.head ?? head }
    }

    /// Fewer bytes than given make libcurl give up, or wait.
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

    /// Whether it waits for its task: then its silence is none of the server's.
    var isPaused: Bool { state.withLock { $0.isPaused } }

    /// The first word on it is the last.
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
