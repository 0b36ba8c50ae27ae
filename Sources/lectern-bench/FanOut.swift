import CLinux
import Foundation
import Synchronization

/// One publisher, many subscribers of one topic.
enum FanOut {
    /// What came of it; latencies in microseconds, from just before the publisher's send to the subscriber's read.
    struct Result {
        var latencies: [UInt32] = []
        var lost = 0
        var outOfOrder = 0
        /// The server's memory for one idle subscriber, in bytes; 0 when it is not ours to look at.
        var bytesPerSubscriber = 0
    }

    private struct Seen {
        var arrivals: [UInt64] = []
        var outOfOrder = 0
    }

    /// `publish(n)` sends the n-th event and returns the number in its id; one after the other, so many a second.
    static func run(
        port: UInt16, subscribers: Int, events: Int, perSecond: Double, request: [UInt8], memory: () -> Int,
        publish: (Int) -> Void
    ) -> Result {
        let before = memory()
        let streams = (0..<subscribers).compactMap { _ in Connection(port: port) }
        let epoll = epoll_create1(0)
        for (index, stream) in streams.enumerated() {
            _ = stream.send(request)
            _ = clinux_epoll_add(epoll, stream.descriptor, UInt32(EPOLLIN.rawValue), UInt64(index))
        }
        let state = Mutex([Seen](repeating: Seen(), count: streams.count))
        let isOver = Atomic(false)
        let ready = Atomic(0)
        let reader = DispatchSemaphore(value: 0)
        let descriptors = streams.map(\.descriptor)
        Thread {
            read(epoll, descriptors, state, ready, isOver)
            reader.signal()
        }.start()
        while ready.load(ordering: .relaxed) < streams.count { usleep(1000) }
        usleep(1_000_000)
        var result = Result(bytesPerSubscriber: before > 0 ? (memory() - before) / max(1, streams.count) : 0)
        var sent: [UInt64] = []
        let start = DispatchTime.now().uptimeNanoseconds
        for number in 0..<events {
            let due = start + UInt64(Double(number) * 1e9 / perSecond)
            let now = DispatchTime.now().uptimeNanoseconds
            if due > now { usleep(UInt32((due - now) / 1000)) }
            sent.append(DispatchTime.now().uptimeNanoseconds)
            publish(number)
        }
        let deadline = Date().addingTimeInterval(10)
        while state.withLock({ $0.contains { $0.arrivals.count < events } }), Date() < deadline { usleep(10_000) }
        isOver.store(true, ordering: .relaxed)
        reader.wait()
        // Without this the sockets would be closed after their last mention above, before anything is sent on them.
        withExtendedLifetime(streams) { _ = close(epoll) }
        for seen in state.withLock({ $0 }) {
            result.lost += events - min(events, seen.arrivals.count)
            result.outOfOrder += seen.outOfOrder
            for (number, arrival) in seen.arrivals.prefix(events).enumerated() {
                result.latencies.append(UInt32(clamping: (arrival - min(arrival, sent[number])) / 1000))
            }
        }
        result.latencies.sort()
        return result
    }

    /// Counts events by their ids, which must grow; the first one of a stream is its snapshot.
    private static func read(
        _ epoll: Int32, _ descriptors: [Int32], _ state: borrowing Mutex<[Seen]>, _ ready: borrowing Atomic<Int>, _ isOver: borrowing Atomic<Bool>
    ) {
        var found = [clinux_ready](repeating: clinux_ready(), count: Int(CLINUX_READY_MAX))
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        var pending = [[UInt8]](repeating: [], count: descriptors.count)
        var last = [Int](repeating: -1, count: descriptors.count)
        while !isOver.load(ordering: .relaxed) {
            let count = clinux_epoll_wait(epoll, &found, 100)
            for place in 0..<max(0, Int(count)) {
                let index = Int(found[place].data)
                let size = recv(descriptors[index], &buffer, buffer.count, 0)
                guard size > 0 else {
                    _ = clinux_epoll_remove(epoll, descriptors[index])
                    continue
                }
                let now = DispatchTime.now().uptimeNanoseconds
                pending[index] += buffer[..<size]
                for id in ids(&pending[index]) {
                    if last[index] < 0 {
                        ready.add(1, ordering: .relaxed)
                    } else {
                        state.withLock { seen in
                            if id <= last[index] { seen[index].outOfOrder += 1 } else { seen[index].arrivals.append(now) }
                        }
                    }
                    last[index] = max(last[index], id)
                }
            }
        }
    }

    /// The numbers in the ids of the whole events at the beginning of some bytes, which are taken away.
    private static func ids(_ bytes: inout [UInt8]) -> [Int] {
        var ids: [Int] = []
        var start = 0
        var end = 1
        while end < bytes.count {
            if bytes[end] == 10, bytes[end - 1] == 10 {
                let line = bytes[start..<end].prefix { $0 != 10 }
                if line.starts(with: Array("id: ".utf8)), bytes[start..<end].count > line.count + 1 {
                    ids.append(Int(String(decoding: line.dropFirst(13), as: UTF8.self)) ?? 0)
                }
                start = end + 1
            }
            end += 1
        }
        bytes.removeSubrange(..<start)
        return ids
    }
}
