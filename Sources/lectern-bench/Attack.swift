import CLinux
import Foundation
import Glibc
import Synchronization

/// One kind of abusive load, with one token, on its own threads. They have the lowest priority on the machine: a real
/// attacker has a separate machine. The benchmark measures the server's protection of others, not the competition for
/// this machine's cores.
final class Attack: Sendable {
    let name: String
    private let threads: Int
    private let act: @Sendable (Attack, Int) -> Void
    private let counts = Mutex<[Int: Int]>([:])
    private let isOver = Atomic(false)
    private let done = DispatchSemaphore(value: 0)

    /// Creates an attack that calls `act` with a number repeatedly on each thread.
    init(_ name: String, threads: Int, act: @escaping @Sendable (Attack, Int) -> Void) {
        (self.name, self.threads, self.act) = (name, threads, act)
    }

    /// Creates an attack that repeats requests on persistent connections, one after the other.
    convenience init(
        _ name: String, port: UInt16, threads: Int, _ request: @escaping @Sendable (Int) -> [UInt8]
    ) {
        self.init(name, threads: threads) { attack, number in
            guard let connection = BenchConnection(port: port) else { return attack.record(0) }
            for step in 0..<1000 where !attack.hasEnded {
                guard let answer = connection.exchange(request(number &* 1000 &+ step)) else {
                    return attack.record(0)
                }
                attack.record(answer.status)
            }
        }
    }

    var hasEnded: Bool { isOver.load(ordering: .relaxed) }

    func record(_ status: Int) { counts.withLock { $0[status, default: 0] += 1 } }

    func start() {
        for index in 0..<threads {
            let thread = Thread { [self] in
                clinux_yield_to_others()
                var number = index
                while !hasEnded {
                    act(self, number)
                    number += threads
                }
                done.signal()
            }
            thread.stackSize = 1 << 20
            thread.start()
        }
    }

    func stop() -> String {
        isOver.store(true, ordering: .relaxed)
        for _ in 0..<threads { done.wait() }
        let sorted = counts.withLock { $0.sorted { $0.key < $1.key } }
        return sorted.map { "\($0.value) x \($0.key == 0 ? "closed" : "\($0.key)")" }.joined(separator: ", ")
    }
}
