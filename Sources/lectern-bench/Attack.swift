import CLinux
import Foundation
import Glibc
import Synchronization

/// One way to be a nuisance, with one token, on threads of its own. These yield to all others on the machine: whoever does this has a machine
/// of their own, and what is measured is what the server lets them do to others, not who has this machine's cores.
final class Attack: Sendable {
    let name: String
    private let threads: Int
    private let act: @Sendable (Attack, Int) -> Void
    private let counts = Mutex<[Int: Int]>([:])
    private let isOver = Atomic(false)
    private let done = DispatchSemaphore(value: 0)

    /// `act` is called with a number again and again on each thread.
    init(_ name: String, threads: Int, act: @escaping @Sendable (Attack, Int) -> Void) {
        (self.name, self.threads, self.act) = (name, threads, act)
    }

    /// The same few requests on kept connections, one after the other, from an address by the connection's number.
    convenience init(
        _ name: String, port: UInt16, threads: Int, connectionLength: Int = 1000,
        from own: (@Sendable (Int) -> String)? = nil, _ request: @escaping @Sendable (Int) -> [UInt8]
    ) {
        self.init(name, threads: threads) { attack, number in
            guard let connection = Connection(port: port, from: own?(number)) else { return attack.note(0) }
            for step in 0..<connectionLength where !attack.hasEnded {
                guard let answer = connection.exchange(request(number &* connectionLength &+ step)) else {
                    return attack.note(0)
                }
                attack.note(answer.status)
            }
        }
    }

    var hasEnded: Bool { isOver.load(ordering: .relaxed) }

    /// How often it was answered, or cut off.
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
    /// A thousand requests in one piece, again and again; who does not read their answers in time is cut off.
    static func pipeline(port: UInt16, _ request: [UInt8]) -> Attack {
        let all = [UInt8]((0..<1000).map { _ in request }.joined())
        return Attack("pipelines", threads: 4) { attack, _ in
            guard let connection = Connection(port: port) else { return attack.note(0) }
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            for _ in 0..<20 where !attack.hasEnded {
                var sent = 0
                // Sends and reads by turns: both sides' buffers are smaller than what goes through.
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

    /// Connections that are kept open for whatever they were opened for, and mostly not read.
    static func held(_ name: String, port: UInt16, count: Int, _ request: @escaping @Sendable (Int) -> [UInt8])
        -> Attack
    {
        Attack(name, threads: 2) { attack, number in
            var open: [Connection] = []
            for index in 0..<count where !attack.hasEnded {
                guard let connection = Connection(port: port, receiveBuffer: 4096) else {
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
