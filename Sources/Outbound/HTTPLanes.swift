import CCurl

/// Requests that are under way side by side, on one thread: each in a lane, of which there are so many.
///
/// Threads that each wait for one answer cost more than the requests themselves: the answers of one commit come together, and
/// here one wake-up takes them all.
package final class HTTPLanes {
    private let multi: UnsafeMutableRawPointer
    private let lanes: [HTTPExchange]
    private var free: [Int]

    /// Lanes to a server, through a Unix socket where one is given; each waits so many seconds for an answer.
    package init(_ count: Int, socketPath: String? = nil, secondsMax: Int = 30) throws(HTTPClientError) {
        var lanes: [HTTPExchange] = []
        for _ in 0..<max(count, 1) {
            lanes.append(try HTTPExchange(socketPath: socketPath, secondsMax: secondsMax))
        }
        guard let made = curl_multi_init() else { throw HTTPClientError(description: "libcurl cannot be started") }
        multi = made
        self.lanes = lanes
        free = Array(lanes.indices.reversed())
    }

    deinit {
        // Neither fails for handles that are in it, or none.
        for lane in lanes { curl_multi_remove_handle(multi, lane.handle) }
        curl_multi_cleanup(multi)
    }

    /// Whether a lane is free.
    package var hasRoom: Bool { !free.isEmpty }

    /// Puts a request on its way, and says in which lane; nil when all are taken. It is sent by the next call of `next`.
    package func start(_ request: HTTPRequest) -> Int? {
        guard let lane = free.popLast() else { return nil }
        do throws(HTTPClientError) { try lanes[lane].prepare(request) } catch { preconditionFailure("\(error)") }
        // Both fail only for want of memory: a lane that nothing is sent in would be waited for for ever.
        precondition(curl_multi_add_handle(multi, lanes[lane].handle) == CURLM_OK, "libcurl takes no request")
        return lane
    }

    /// Waits for the next answer, and frees its lane; nil when nothing is under way.
    package func next() -> (lane: Int, outcome: Result<HTTPClientResponse, HTTPClientError>)? {
        while free.count < lanes.count {
            if let ended = ended() { return ended }
            var running: Int32 = 0
            // A failure belongs to a transfer and is reported when the transfer ends.
            curl_multi_perform(multi, &running)
            if let ended = ended() { return ended }
            // What cannot be waited for, for want of memory, is asked about again, but not without a pause.
            if curl_multi_poll(multi, nil, 0, 1000, nil) != CURLM_OK { HTTPLoop.pause() }
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
