import Foundation

extension BenchServer {
    /// Measures the latencies of one publisher's events at many subscribers of one resource, from just before the
    /// publisher's send to the subscriber's read.
    ///
    /// - Parameters:
    ///   - stream: The request that each of the `count` subscribers sends.
    ///   - changes: The requests that the publisher repeats, each of which makes one event. It sends 20 a second, or
    ///     fewer if the responses are slow.
    func fanOut(to count: Int, of stream: [UInt8], _ changes: [[UInt8]]) -> BenchResult {
        guard let publisher = BenchConnection(port: port) else { return BenchResult(failures: 1) }
        let before = memory()
        let reader = BenchEventReader(port: port, stream, count: count)
        reader.wait(seconds: 30) { reader.begunCount == count }
        usleep(1_000_000)
        let bytesPerSubscriber = (memory() - before) / count
        let start = DispatchTime.now().uptimeNanoseconds
        let sent = (0..<200).map { number in
            let due = start + UInt64(number) * 50_000_000
            let now = DispatchTime.now().uptimeNanoseconds
            if due > now { usleep(UInt32((due - now) / 1000)) }
            defer { _ = publisher.exchange(changes[number % changes.count]) }
            return DispatchTime.now().uptimeNanoseconds
        }
        reader.wait(seconds: 10) { reader.eventCount >= sent.count * count }
        var result = BenchResult(seconds: Double(sent.count) / 20)
        var failures = 0
        for arrivals in reader.finish() {
            failures += abs(sent.count - arrivals.count)
            // The n-th event is the n-th published one.
            for (arrival, sent) in zip(arrivals, sent) {
                result.latencies.append(UInt32(clamping: (arrival - min(arrival, sent)) / 1000))
            }
        }
        result.answers = result.latencies.count
        result.failures = failures
        result.notes = ["\(failures) lost or doubled, \(bytesPerSubscriber) bytes a subscriber"]
        return result
    }
}
