import Foundation
import Synchronization

/// Load from many connections that send each request as soon as the previous one is answered.
enum RequestLoad {
    /// Runs a load whose requests `request(connection, number)` returns. A response with another status than expected
    /// is a failure.
    static func run(
        port: UInt16, connections: Int, seconds: Double, expecting status: Int, keepingIDs: Bool = false,
        _ request: @escaping @Sendable (Int, Int) -> [UInt8]
    ) -> RequestLoadResult {
        let all = Mutex(RequestLoadResult())
        let done = DispatchSemaphore(value: 0)
        let start = DispatchTime.now().uptimeNanoseconds
        let end = start + UInt64(seconds * 1e9)
        for index in 0..<connections {
            let thread = Thread {
                var own = RequestLoadResult()
                if let connection = BenchConnection(port: port) {
                    var number = 0
                    var now = DispatchTime.now().uptimeNanoseconds
                    while now < end {
                        guard let answer = connection.exchange(request(index, number), keepingBody: keepingIDs) else {
                            own.failures += 1
                            break
                        }
                        let then = DispatchTime.now().uptimeNanoseconds
                        own.latencies.append(UInt32(clamping: (then - now) / 1000))
                        now = then
                        number += 1
                        if answer.status == status { own.answers += 1 } else { own.failures += 1 }
                        if keepingIDs, answer.status == status {
                            own.ids.append(ResponseValueExtraction.id(answer.body))
                        }
                    }
                }
                all.withLock {
                    $0.answers += own.answers
                    $0.failures += own.failures
                    $0.latencies += own.latencies
                    $0.ids += own.ids
                }
                done.signal()
            }
            thread.stackSize = 1 << 20
            thread.start()
        }
        for _ in 0..<connections { done.wait() }
        return all.withLock { result in
            result.seconds = Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9
            result.latencies.sort()
            return result
        }
    }
}

/// The results of a load.
struct RequestLoadResult: Sendable {
    var answers = 0
    var failures = 0
    /// The latencies in microseconds.
    var latencies: [UInt32] = []
    /// The ids in the bodies, if requested.
    var ids: [String] = []
    var seconds = 0.0
    /// The server's processor seconds, of all cores together.
    var processorSeconds = 0.0
    /// Additional remarks for the report.
    var notes: [String] = []

    var rate: Double { Double(answers) / seconds }
    func percentile(_ part: Double) -> Double {
        latencies.isEmpty
            ? 0 : Double(latencies[min(latencies.count - 1, Int(Double(latencies.count) * part))]) / 1000
    }
}

/// Extraction of JSON values without a parser.
enum ResponseValueExtraction {
    /// Returns the first id in a body.
    static func id(_ body: [UInt8]) -> String { value("\"id\":\"", body) }

    static func value(_ name: String, _ body: [UInt8]) -> String {
        let text = String(decoding: body, as: UTF8.self)
        guard let start = text.range(of: name) else { return "" }
        return String(text[start.upperBound...].prefix { $0 != "\"" })
    }
}
