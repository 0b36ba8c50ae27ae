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

    /// Creates an attack that repeats requests on persistent connections, one after the other. `own` returns the source
    /// address for a connection's number.
    convenience init(
        _ name: String, port: UInt16, threads: Int, connectionLength: Int = 1000,
        from own: (@Sendable (Int) -> String)? = nil, _ request: @escaping @Sendable (Int) -> [UInt8]
    ) {
        self.init(name, threads: threads) { attack, number in
            guard let connection = BenchConnection(port: port, from: own?(number)) else { return attack.note(0) }
            for step in 0..<connectionLength where !attack.hasEnded {
                guard let answer = connection.exchange(request(number &* connectionLength &+ step)) else {
                    return attack.note(0)
                }
                attack.note(answer.status)
            }
        }
    }

    var hasEnded: Bool { isOver.load(ordering: .relaxed) }

    /// The number of responses and closed connections.
    var count: Int { counts.withLock { $0.values.reduce(0, +) } }

    func note(_ status: Int) { counts.withLock { $0[status, default: 0] += 1 } }

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
        let told = counts.withLock { $0.sorted { $0.key < $1.key } }
        return told.map { "\($0.value) x \($0.key == 0 ? "closed" : "\($0.key)")" }.joined(separator: ", ")
    }
}

extension Attack {
    /// Returns an attack that sends a thousand pipelined requests at once, repeatedly. The server closes connections
    /// that do not read the responses in time.
    static func pipeline(port: UInt16, _ request: [UInt8]) -> Attack {
        let all = [UInt8]((0..<1000).map { _ in request }.joined())
        return Attack("pipelines", threads: 4) { attack, _ in
            guard let connection = BenchConnection(port: port) else { return attack.note(0) }
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            for _ in 0..<20 where !attack.hasEnded {
                var sent = 0
                // This alternates between sending and reading, because both sides' buffers are smaller than the data.
                while sent < all.count {
                    let count = all.withUnsafeBytes {
                        Glibc.send(
                            connection.descriptor, $0.baseAddress! + sent, min(1 << 16, $0.count - sent),
                            Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
                    }
                    if count > 0 { sent += count }
                    let read = recv(connection.descriptor, &buffer, buffer.count, count > 0 ? Int32(MSG_DONTWAIT) : 0)
                    if read == 0 || count < 0 && errno != EAGAIN { return attack.note(0) }
                }
                attack.note(200)
            }
        }
    }

    /// Returns an attack that opens connections with a request each, keeps them open, and does not read them.
    static func held(_ name: String, port: UInt16, count: Int, _ request: @escaping @Sendable (Int) -> [UInt8])
        -> Attack
    {
        Attack(name, threads: 2) { attack, number in
            var open: [BenchConnection] = []
            for index in 0..<count where !attack.hasEnded {
                guard let connection = BenchConnection(port: port, receiveBuffer: 4096) else {
                    attack.note(0)
                    continue
                }
                attack.note(connection.send(request(number &* count &+ index)) ? 200 : 0)
                open.append(connection)
            }
            for _ in 0..<20 where !attack.hasEnded { usleep(100_000) }
        }
    }
}
