import Foundation
import Synchronization

/// One subscriber for each of many readings, and writers to all of them.
struct TopicsScenario {
    let server: BenchServer
    let readings: [String]
    let seconds: Double
    let connections: Int

    func run() -> TopicsResult {
        let server = server
        let streams = readings.compactMap { _ in BenchConnection(port: server.port) }
        let reader = BenchEventReader(streams) { [readings] index in
            server.request("GET", "/v1/readings/\(readings[index])", fields: "Accept: text/event-stream\r\n")
        }
        reader.wait(seconds: 30) { reader.begunCount == streams.count }
        let sent = write()
        reader.wait(seconds: 10) { reader.eventCount >= sent.count }
        var result = TopicsResult()
        for arrivals in reader.finish(streams.count) {
            for (index, arrival) in arrivals.enumerated() {
                if index > 0, arrival.seq <= arrivals[index - 1].seq { result.outOfOrder += 1 }
                guard let start = sent[arrival.seq] else { continue }
                result.delivered += 1
                result.latencies.append(UInt32(clamping: (arrival.at - min(arrival.at, start)) / 1000))
            }
        }
        result.lost = sent.count - result.delivered
        result.latencies.sort()
        withExtendedLifetime(streams) {}
        return result
    }

    /// Writes entries until the time is over. Returns the send time of each, by the `seq` of the change that it makes
    /// to its reading.
    private func write() -> [Int: UInt64] {
        let all = Mutex<[Int: UInt64]>([:])
        let done = DispatchSemaphore(value: 0)
        let end = DispatchTime.now().uptimeNanoseconds + UInt64(seconds * 1e9)
        let requests = readings.map { reading in
            ["0.25", "0.5"].map { server.request("POST", "/v1/readings/\(reading)/entries", "{\"progress\":\($0)}") }
        }
        let port = server.port
        let connections = connections
        for index in 0..<connections {
            Thread {
                let connection = BenchConnection(port: port)
                var own: [Int: UInt64] = [:]
                var number = 0
                while DispatchTime.now().uptimeNanoseconds < end {
                    // Each connection has its own readings, and alternates between two positions, so every entry moves
                    // its reading.
                    let turn = number / (requests.count / connections)
                    let reading = index + number % (requests.count / connections) * connections
                    let start = DispatchTime.now().uptimeNanoseconds
                    guard
                        let answer = connection?.exchange(requests[reading][turn % 2], keepingBody: true),
                        answer.status == 201, let version = Int(answer.etag.dropFirst(10).dropLast())
                    else { break }
                    own[version + 1] = start
                    number += 1
                }
                all.withLock { $0.merge(own) { first, _ in first } }
                done.signal()
            }.start()
        }
        for _ in 0..<connections { done.wait() }
        return all.withLock { $0 }
    }
}

/// The results of a `TopicsScenario`.
struct TopicsResult {
    var delivered = 0
    var latencies: [UInt32] = []
    var lost = 0
    var outOfOrder = 0
}
