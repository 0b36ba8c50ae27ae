import CLinux
import Foundation
import Synchronization

/// A reader of many event streams, which records the number and arrival time of each event.
///
/// It uses two threads with an epoll each, because a single one is slower than the server it measures.
final class BenchEventReader: Sendable {
    struct Arrival {
        /// The sequence number in the event's id.
        let seq: Int
        /// The monotonic nanoseconds of the arrival.
        let at: UInt64
    }

    /// The events and snapshots that have arrived on all streams.
    private final class Counts: Sendable {
        let begun = Atomic(0)
        let events = Atomic(0)
    }

    private static let threadCount = 2

    private let counts = Counts()
    private let threads: BenchThreads<[[Arrival]]>

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

    /// Stops, and returns the events of each stream without the snapshots.
    func finish() -> [[Arrival]] { threads.stop().flatMap(\.self) }

    private struct Stream {
        let connection: BenchConnection
        var rest: [UInt8] = []
        var hasBegun = false
        var arrivals: [Arrival] = []
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
        var seqs: [Int] = []
        stream.rest.removeFirst(EventScanner.scan(stream.rest) { seqs.append($0) })
        for seq in seqs {
            if stream.hasBegun {
                stream.arrivals.append(Arrival(seq: seq, at: now))
                counts.events.add(1, ordering: .relaxed)
            } else {
                stream.hasBegun = true
                counts.begun.add(1, ordering: .relaxed)
            }
        }
    }
}

/// A scanner that finds the ends of events in a stream's bytes.
enum EventScanner {
    /// Calls `found` with the number in the id of each complete event with data. Returns the start of the first
    /// incomplete one.
    static func scan(_ bytes: [UInt8], _ found: (Int) -> Void) -> Int {
        var begin = 0
        bytes.withUnsafeBytes { bytes in
            while let end = bytes.offset(after: "\n\n", in: begin..<bytes.count) {
                if let seq = seq(UnsafeRawBufferPointer(rebasing: bytes[begin..<end])) { found(seq) }
                begin = end
            }
        }
        return begin
    }

    /// Returns the number in the line `id: <epoch>-<seq>` of an event with data. It skips the lines before it: the
    /// response's head, a comment, or a chunk's head, which this server never puts within a line.
    private static func seq(_ event: UnsafeRawBufferPointer) -> Int? {
        var line = 0
        while line + 13 < event.count, event[line] != UInt8(ascii: "i") || event[line + 1] != UInt8(ascii: "d") {
            while line < event.count, event[line] != 10 { line += 1 }
            line += 1
        }
        guard line + 13 < event.count else { return nil }
        var number = 0
        var index = line + 13
        while index < event.count, event[index] != 10 {
            number = number &* 10 &+ Int(event[index] &- 48)
            index += 1
        }
        // A bookmark event, the only name with that letter, has no data.
        return index + 8 < event.count && event[index + 8] != UInt8(ascii: "b") ? number : nil
    }
}
