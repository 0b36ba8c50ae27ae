import Foundation

/// The latencies of one publisher's events at many subscribers of one topic.
struct FanOutScenario {
    /// The latencies in microseconds, from just before the publisher's send to the subscriber's read; ascending.
    var latencies: [UInt32] = []
    var lost = 0
    var doubled = 0
    var outOfOrder = 0
    /// The server's memory for one idle subscriber, in bytes, or 0 for a server that this program did not start.
    var bytesPerSubscriber = 0

    /// Runs the measurement. `request(n)` is the n-th subscriber's request. `publish(n)` sends the n-th event and waits
    /// for its response. The rate may be lower than `perSecond` if the responses are slow.
    init(
        _ server: BenchServer, subscribers: Int, events: Int, perSecond: Double, request: (Int) -> [UInt8],
        publish: (Int) -> Void
    ) {
        let before = server.memory()
        let streams = (0..<subscribers).compactMap { _ in BenchConnection(port: server.port) }
        let reader = BenchEventReader(streams, request: request)
        reader.wait(seconds: 30) { reader.begunCount == streams.count }
        usleep(1_000_000)
        if before > 0 { bytesPerSubscriber = (server.memory() - before) / max(1, streams.count) }
        let sent = Self.publish(events, perSecond, publish)
        reader.wait(seconds: 10) { reader.eventCount >= events * streams.count }
        for arrivals in reader.finish(streams.count) { add(arrivals, sent) }
        latencies.sort()
        // Otherwise the sockets could be closed after their last use above, while they are read.
        withExtendedLifetime(streams) {}
    }

    /// Returns the monotonic nanoseconds at which each event was sent.
    static func publish(_ events: Int, _ perSecond: Double, _ publish: (Int) -> Void) -> [UInt64] {
        let start = DispatchTime.now().uptimeNanoseconds
        return (0..<events).map { number in
            let due = start + UInt64(Double(number) * 1e9 / perSecond)
            let now = DispatchTime.now().uptimeNanoseconds
            if due > now { usleep(UInt32((due - now) / 1000)) }
            let sent = DispatchTime.now().uptimeNanoseconds
            publish(number)
            return sent
        }
    }

    /// Adds one stream's arrivals. The n-th event is the n-th published one.
    mutating func add(_ arrivals: [BenchEventReader.Arrival], _ sent: [UInt64]) {
        var last = -1
        var number = 0
        for arrival in arrivals {
            guard arrival.seq != last else {
                doubled += 1
                continue
            }
            if arrival.seq < last { outOfOrder += 1 }
            last = max(last, arrival.seq)
            if number < sent.count {
                latencies.append(UInt32(clamping: (arrival.at - min(arrival.at, sent[number])) / 1000))
            }
            number += 1
        }
        lost += max(0, sent.count - number)
    }

    /// Returns a percentile in milliseconds. The latencies must be sorted.
    func percentile(_ part: Double) -> Double {
        latencies.isEmpty ? 0 : Double(latencies[min(latencies.count - 1, Int(Double(latencies.count) * part))]) / 1000
    }

    var faults: String { "\(lost) lost, \(doubled) doubled, \(outOfOrder) out of order" }
}
