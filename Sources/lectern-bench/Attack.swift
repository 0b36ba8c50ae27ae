import CLinux
import Foundation
import Glibc

/// One kind of abusive load, with one token, on its own threads. They have the lowest priority on the machine: a real
/// attacker has a separate machine. The benchmark measures the server's protection of others, not the competition for
/// this machine's cores.
struct Attack: Sendable {
    let name: String
    let threads: Int
    /// The milliseconds that each stream stays open, or `nil` for requests on persistent connections, one after the
    /// other.
    var streamMilliseconds: Int?
    let requests: [[UInt8]]

    /// Starts the attack. Each thread returns the statuses of its responses, with `nil` for a connection that closed.
    func start(port: UInt16) -> BenchThreads<[Int?]> {
        BenchThreads(threads) { index, threads in
            clinux_yield_to_others()
            var statuses: [Int?] = []
            var connection: BenchConnection?
            var number = index
            while !threads.isStopped {
                let request = requests[number % requests.count]
                number += self.threads
                if statuses.last == .some(nil) || streamMilliseconds != nil { connection = nil }
                connection = connection ?? BenchConnection(port: port)
                if let streamMilliseconds {
                    statuses.append(connection?.open(request))
                    // Many short pauses, so a stop does not wait for the stream's end.
                    for _ in 0..<streamMilliseconds / 50 where !threads.isStopped { usleep(50_000) }
                } else {
                    statuses.append(connection?.exchange(request))
                }
            }
            return statuses
        }
    }
}

/// A client that sends requests at a steady rate during an attack. Its latency counts from the time when a request was
/// due. A slow response therefore also delays the requests that become due meanwhile.
struct AttackVictim: Sendable {
    let perSecond: Int
    let requests: [[UInt8]]

    func start(port: UInt16) -> BenchThreads<BenchResult> {
        BenchThreads(1) { _, threads in
            var result = BenchResult()
            var connection = BenchConnection(port: port)
            var due = DispatchTime.now().uptimeNanoseconds
            var number = 0
            while !threads.isStopped {
                let now = DispatchTime.now().uptimeNanoseconds
                if now < due { usleep(UInt32((due - now) / 1000)) }
                let status = connection?.exchange(requests[number % requests.count])
                result.record(status, after: DispatchTime.now().uptimeNanoseconds - due)
                number += 1
                // The client reconnects now and then.
                if status == nil || number.isMultiple(of: 50) { connection = BenchConnection(port: port) }
                due += UInt64(1_000_000_000 / perSecond)
            }
            return result
        }
    }
}
