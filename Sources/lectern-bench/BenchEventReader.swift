import CLinux
import Foundation
import Synchronization

/// A reader of many event streams, which records the arrival time of each event.
///
/// It uses two threads with an epoll each, because a single one is slower than the server it measures.
final class BenchEventReader: Sendable {
    /// The events and snapshots that have arrived on all streams.
    private final class Counts: Sendable {
        let begun = Atomic(0)
        let events = Atomic(0)
    }

    private static let threadCount = 2

    private let counts = Counts()
    private let threads: BenchThreads<[[UInt64]]>

    /// Opens connections, sends a stream's request on each, and starts to read.
    init(port: UInt16, _ request: [UInt8], count: Int) {
        let counts = counts
        threads = BenchThreads(Self.threadCount) { index, threads in
            var streams = stride(from: index, to: count, by: Self.threadCount).compactMap { _ in
                BenchConnection(port: port).map { Stream(connection: $0) }
            }
            Self.read(&streams, of: request, counts) { threads.isStopped }
            return streams.map(\.arrivals)
        }
    }

    /// The number of streams whose snapshot has arrived.
    var begunCount: Int { counts.begun.load(ordering: .relaxed) }

    /// The number of events after the snapshots, of all streams.
    var eventCount: Int { counts.events.load(ordering: .relaxed) }

    /// Waits until a condition holds, at most for this many seconds.
    func wait(seconds: Double, until condition: () -> Bool) {
        let deadline = Date().addingTimeInterval(seconds)
        while !condition(), Date() < deadline { usleep(2000) }
    }

    /// Stops, and returns the monotonic nanoseconds at which the events of each stream arrived, without the snapshots.
    func finish() -> [[UInt64]] { threads.stop().flatMap(\.self) }

    private struct Stream {
        let connection: BenchConnection
        var rest: [UInt8] = []
        var hasBegun = false
        var arrivals: [UInt64] = []
    }

    private static func read(
        _ streams: inout [Stream], of request: [UInt8], _ counts: Counts, until isOver: () -> Bool
    ) {
        let epoll = epoll_create1(0)
        defer { close(epoll) }
        for (place, stream) in streams.enumerated() {
            _ = clinux_epoll_add(epoll, stream.connection.descriptor, UInt32(EPOLLIN.rawValue), UInt64(place))
            _ = stream.connection.send(request)
        }
        var ready = [clinux_ready](repeating: clinux_ready(), count: Int(CLINUX_READY_MAX))
        var buffer = [UInt8](repeating: 0, count: 1 << 17)
        while !isOver() {
            let found = clinux_epoll_wait(epoll, &ready, 50)
            for place in 0..<max(0, Int(found)) {
                let stream = Int(ready[place].data)
                let descriptor = streams[stream].connection.descriptor
                let size = recv(descriptor, &buffer, buffer.count, 0)
                guard size > 0 else {
                    _ = clinux_epoll_remove(epoll, descriptor)
                    continue
                }
                take(buffer[..<size], &streams[stream], counts)
            }
        }
    }

    private static func take(_ bytes: ArraySlice<UInt8>, _ stream: inout Stream, _ counts: Counts) {
        let now = DispatchTime.now().uptimeNanoseconds
        stream.rest += bytes
        let line: StaticString = "\ndata: "
        var begin = 0
        // Each event has one line of data, and a bookmark none.
        while let next = stream.rest.withUnsafeBytes({ $0.offset(after: line, in: begin..<$0.count) }) {
            begin = next
            if stream.hasBegun {
                stream.arrivals.append(now)
                counts.events.add(1, ordering: .relaxed)
            } else {
                stream.hasBegun = true
                counts.begun.add(1, ordering: .relaxed)
            }
        }
        // The end of a line's beginning may arrive later.
        stream.rest.removeFirst(max(begin, stream.rest.count - line.utf8CodeUnitCount + 1))
    }
}
