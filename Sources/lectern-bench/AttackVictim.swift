import Foundation
import Glibc
import Synchronization

/// A client that sends requests at a steady rate during an attack. Its latency counts from the time when a request was
/// due. A slow response therefore also delays the requests that become due meanwhile.
final class AttackVictim: Sendable {
    let name: String
    private let port: UInt16
    private let perSecond: Int
    private let requests: [[UInt8]]
    private let result = Mutex(RequestLoadResult())
    private let isOver = Atomic(false)
    private let done = DispatchSemaphore(value: 0)

    init(_ name: String, port: UInt16, perSecond: Int, _ requests: [[UInt8]]) {
        (self.name, self.port, self.perSecond, self.requests) = (name, port, perSecond, requests)
    }

    func start() {
        let thread = Thread { [self] in
            run()
            done.signal()
        }
        thread.stackSize = 1 << 20
        thread.start()
    }

    /// Stops, and returns the latencies.
    func stop() -> RequestLoadResult {
        isOver.store(true, ordering: .relaxed)
        done.wait()
        return result.withLock { result in
            result.latencies.sort()
            return result
        }
    }

    private func run() {
        let pause = UInt64(1_000_000_000 / perSecond)
        var connection = BenchConnection(port: port)
        var due = DispatchTime.now().uptimeNanoseconds
        var number = 0
        while !isOver.load(ordering: .relaxed) {
            let now = DispatchTime.now().uptimeNanoseconds
            if now < due { usleep(UInt32((due - now) / 1000)) }
            // The client reconnects now and then.
            if number % 50 == 49 { connection = BenchConnection(port: port) }
            let answer = connection?.exchange(requests[number % requests.count])
            let waited = DispatchTime.now().uptimeNanoseconds - due
            let isGood = (200...299).contains(answer?.status ?? 0)
            if answer == nil { connection = BenchConnection(port: port) }
            result.withLock { result in
                result.latencies.append(UInt32(clamping: waited / 1000))
                if isGood { result.answers += 1 } else { result.failures += 1 }
                if !isGood, result.notes.count < 5 { result.notes.append("status \(answer?.status ?? 0)") }
            }
            due += pause
            number += 1
        }
    }
}
