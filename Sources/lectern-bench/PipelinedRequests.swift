import Foundation
import Synchronization

/// Requests that are sent over several connections and answered in any order.
enum PipelinedRequests {
    /// The error of a failed request, without which there is nothing to measure.
    struct Refusal: Error {
        let request: String
        let answer: String
    }

    /// Returns the bodies of the responses, in the order of the requests.
    static func exchange(_ requests: [[UInt8]], port: UInt16, connections: Int) throws -> [[UInt8]] {
        let bodies = Mutex([[UInt8]](repeating: [], count: requests.count))
        let refusal = Mutex<Refusal?>(nil)
        let done = DispatchSemaphore(value: 0)
        for index in 0..<connections {
            Thread {
                let connection = BenchConnection(port: port)
                for place in stride(from: index, to: requests.count, by: connections) {
                    let answer = connection?.exchange(requests[place], keepingBody: true)
                    guard let answer, (200..<300).contains(answer.status) else {
                        let refused = Refusal(
                            request: String(decoding: requests[place].prefix { $0 != 13 }, as: UTF8.self),
                            answer: String(decoding: answer?.body ?? [], as: UTF8.self))
                        refusal.withLock { $0 = refused }
                        break
                    }
                    bodies.withLock { $0[place] = answer.body }
                }
                done.signal()
            }.start()
        }
        for _ in 0..<connections { done.wait() }
        if let refusal = refusal.withLock({ $0 }) { throw refusal }
        return bodies.withLock { $0 }
    }
}
