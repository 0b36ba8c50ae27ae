import CCurl

/// A fixed number of concurrent requests on one thread, each in a lane.
///
/// Threads that each wait for one response would cost more than the requests themselves. The responses of one commit
/// arrive together, and one wake-up handles them all.
package final class HTTPRequestLanes {
    private let multi: UnsafeMutableRawPointer
    private let lanes: [HTTPExchange]
    private var free: [Int]

    /// Creates lanes to a server with a timeout, through a Unix socket if `socketPath` is given.
    package init(_ count: Int, socketPath: String? = nil, secondsMax: Int = 30) throws(HTTPClientError) {
        var lanes: [HTTPExchange] = []
        for _ in 0..<max(count, 1) {
            lanes.append(try HTTPExchange(socketPath: socketPath, secondsMax: secondsMax))
        }
        guard let made = curl_multi_init() else { throw HTTPClientError(description: "cannot start libcurl") }
        multi = made
        self.lanes = lanes
        free = Array(lanes.indices.reversed())
    }

    deinit {
        // Neither call fails, whether or not the handle was added.
        for lane in lanes { curl_multi_remove_handle(multi, lane.handle) }
        curl_multi_cleanup(multi)
    }

    /// A Boolean value indicating whether a lane is free.
    package var hasRoom: Bool { !free.isEmpty }

    /// Starts a request and returns its lane, or `nil` if all are in use. The next call of `next` sends it.
    package func start(_ request: HTTPRequest) -> Int? {
        guard let lane = free.popLast() else { return nil }
        do throws(HTTPClientError) { try lanes[lane].prepare(request) } catch { preconditionFailure("\(error)") }
        // Both fail only if memory runs out. Waiting for a lane without a request would never end.
        precondition(curl_multi_add_handle(multi, lanes[lane].handle) == CURLM_OK, "libcurl refused a request")
        return lane
    }

    /// Waits for the next response and frees its lane. Returns `nil` if no request is in progress.
    package func next() -> (lane: Int, outcome: Result<HTTPClientResponse, HTTPClientError>)? {
        while free.count < lanes.count {
            if let ended = ended() { return ended }
            var running: Int32 = 0
            // A failure belongs to a transfer and is reported when the transfer ends.
            curl_multi_perform(multi, &running)
            if let ended = ended() { return ended }
            // If polling fails, for lack of memory, it is retried after a pause.
            if curl_multi_poll(multi, nil, 0, 1000, nil) != CURLM_OK { HTTPTransportThread.pause() }
        }
        return nil
    }

    private func ended() -> (lane: Int, outcome: Result<HTTPClientResponse, HTTPClientError>)? {
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE,
                let lane = lanes.firstIndex(where: { $0.handle == message.pointee.easy_handle })
            else { continue }
            let code = message.pointee.data.result
            // This ends the lifetime of the message. It fails for a handle that was not added.
            curl_multi_remove_handle(multi, lanes[lane].handle)
            free.append(lane)
            return (lane, lanes[lane].outcome(code))
        }
        return nil
    }
}
