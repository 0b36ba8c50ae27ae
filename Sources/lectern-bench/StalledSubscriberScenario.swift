import Foundation

/// The cost of subscribers that stop reading for the others, and a check that they get all events later.
struct StalledSubscriberScenario {
    let server: BenchServer
    let readings: [String]
    let changes: Int
    let stalled: Int
    let connections: Int

    /// Measures a hundred readers of one reading under the same load, first alone, then beside the stalled subscribers.
    func run() {
        let alone = readers(beside: [])
        let start = head()
        let memory = server.memory()
        let silent = (0..<stalled).compactMap { _ in BenchConnection(port: server.port, receiveBuffer: 4096) }
        let request = feed(after: start)
        for stream in silent { _ = stream.send(request) }
        usleep(500_000)
        let beside = readers(beside: silent)
        print(
            String(
                format:
                    "stalled             alone p50 %.2f p99 %.2f ms, beside %d stalled p50 %.2f p99 %.2f ms: %.2f x, %.2f x",
                alone.percentile(0.5), alone.percentile(0.99), silent.count, beside.percentile(0.5),
                beside.percentile(0.99), beside.percentile(0.5) / alone.percentile(0.5),
                beside.percentile(0.99) / alone.percentile(0.99)))
        print("                    \(alone.faults); \(beside.faults)")
        print("                    \((server.memory() - memory) / 1024) KiB more of server memory")
        catchUp(silent, from: start)
    }

    /// Returns the latencies of a hundred readers during the changes.
    private func readers(beside silent: [BenchConnection]) -> FanOutScenario {
        let reading = readings[0]
        let publisher = BenchConnection(port: server.port)
        let load = ConcurrentWriters(
            port: server.port, connections: connections, requestsMax: changes / 2,
            requests: readings.dropFirst().map {
                server.request(
                    "POST", "/v1/readings/\($0)/entries", "{\"progress\":0.5,\"note\":\"read on the train\"}")
            })
        let result = FanOutScenario(
            server, subscribers: 100, events: 100, perSecond: 40,
            request: { _ in server.request("GET", "/v1/readings/\(reading)", fields: "Accept: text/event-stream\r\n") }
        ) { number in
            if number == 0 { load.start() }
            let body = "{\"progress\":0.\(number % 2 == 0 ? 4 : 6)}"
            _ = publisher?.exchange(server.request("POST", "/v1/readings/\(reading)/entries", body))
        }
        load.wait()
        return result
    }

    /// Lets some stalled subscribers continue, or reconnects them with their last id if they were closed.
    /// No event may be missing.
    private func catchUp(_ silent: [BenchConnection], from start: Int) {
        let end = head()
        var (gaps, behind, returned) = (0, 0, 0)
        let begin = Date()
        for stream in silent.prefix(20) {
            var last = start
            var current = stream
            while last < end {
                let (seqs, isOpen) = current.readEvents(until: end)
                for seq in seqs {
                    if seq != last + 1 { gaps += 1 }
                    last = seq
                }
                if last >= end { break }
                guard !isOpen, let next = BenchConnection(port: server.port) else { break }
                returned += 1
                current = next
                _ = current.send(feed(after: last))
            }
            if last < end { behind += 1 }
        }
        print(
            String(
                format:
                    "                    20 of them caught up %d changes each: %d gaps, %d behind, %d came back after a close, %.1f s",
                end - start, gaps, behind, returned, Date().timeIntervalSince(begin)))
    }

    private func feed(after seq: Int) -> [UInt8] {
        server.request("GET", "/v1/changes?after=\(epoch)-\(seq)", fields: "Accept: text/event-stream\r\n")
    }

    /// The log's epoch, the first part of an ETag.
    private var epoch: Substring {
        let request = server.request("GET", "/v1/readings/\(readings[0])")
        return BenchConnection(port: server.port)?.exchange(request, keepingBody: true)?.etag.dropFirst().prefix(8)
            ?? ""
    }

    /// Returns the number of the log's last change, which is in a feed's first event.
    private func head() -> Int {
        let connection = BenchConnection(port: server.port)
        _ = connection?.send(server.request("GET", "/v1/changes", fields: "Accept: text/event-stream\r\n"))
        return connection?.readEvents(until: 0).seqs.first ?? 0
    }
}
