import Foundation
import Synchronization

/// Connections that write one request after the other until a number of them are answered. Each entry makes two
/// changes.
final class ConcurrentWriters: Sendable {
    private let port: UInt16
    private let connections: Int
    private let requestsMax: Int
    private let requests: [[UInt8]]
    private let answered = Atomic(0)
    private let done = DispatchSemaphore(value: 0)

    init(port: UInt16, connections: Int, requestsMax: Int, requests: [[UInt8]]) {
        self.port = port
        self.connections = connections
        self.requestsMax = requestsMax
        self.requests = requests
    }

    func start() {
        for index in 0..<connections {
            Thread { [self] in
                let connection = BenchConnection(port: port)
                var number = index * 17
                while answered.load(ordering: .relaxed) < requestsMax,
                    connection?.exchange(requests[number % requests.count]) != nil
                {
                    answered.add(1, ordering: .relaxed)
                    number += 1
                }
                done.signal()
            }.start()
        }
    }

    /// Waits until all have ended.
    func wait() { for _ in 0..<connections { done.wait() } }
}
