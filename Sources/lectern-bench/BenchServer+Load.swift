import Foundation

extension BenchServer {
    /// Sends requests over all connections, each as soon as the connection's previous one is answered. After the last
    /// request comes the first again, until the count or the time is over.
    func load(
        _ requests: [[UInt8]], count: Int = .max, seconds: Double = 3600, keepingBodies: Bool = false
    ) -> BenchResult {
        let (port, threads) = (port, min(connections, count))
        let start = DispatchTime.now().uptimeNanoseconds
        let end = start + UInt64(seconds * 1e9)
        let results = BenchThreads(threads) { index, _ in
            var result = BenchResult()
            guard let connection = BenchConnection(port: port) else { return BenchResult(failures: 1) }
            var sent = DispatchTime.now().uptimeNanoseconds
            for number in stride(from: index, to: count, by: threads) {
                guard sent < end else { break }
                let status = connection.exchange(requests[number % requests.count])
                let received = DispatchTime.now().uptimeNanoseconds
                result.record(status, after: received - sent)
                guard status != nil else { break }
                if result.failures == 1, result.notes.isEmpty {
                    result.notes.append(String(decoding: connection.body, as: UTF8.self))
                }
                if keepingBodies { result.bodies[number] = connection.body }
                sent = received
            }
            return result
        }.wait()
        var whole = results.reduce(into: BenchResult()) { $0.add($1) }
        whole.seconds = Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9
        return whole
    }

    /// Sends each request once, and returns the JSON objects of the responses in the order of the requests.
    func send(_ requests: [[UInt8]]) throws -> [[String: Any]] {
        let result = load(requests, count: requests.count, keepingBodies: true)
        guard result.answers == requests.count else {
            throw Failure(description: "a request was refused: \(result.notes.first ?? "no response")")
        }
        return requests.indices.map { Self.object(result.bodies[$0] ?? []) }
    }

    /// Returns the ids of all items of a list.
    func ids(_ path: String) throws -> [String] {
        var ids: [String] = []
        var cursor: String? = ""
        while let next = cursor {
            let page = try send([request("GET", "\(path)?limit=100&cursor=\(next)")])[0]
            ids += (page["items"] as? [[String: Any]] ?? []).compactMap { $0["id"] as? String }
            cursor = page["next"] as? String
        }
        return ids
    }

    static func object(_ body: [UInt8]) -> [String: Any] {
        (try? JSONSerialization.jsonObject(with: Data(body))) as? [String: Any] ?? [:]
    }
}
