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

    static let threadCount = 2

    private let isOver = Atomic(false)
    private let begun = Atomic(0)
    private let count = Atomic(0)
    private let done = DispatchSemaphore(value: 0)
    private let arrivals = Mutex<[(stream: Int, arrivals: [Arrival])]>([])

    /// Sends the request on each connection and starts to read. The connections must outlive the reader.
    init(_ streams: [BenchConnection], request: (Int) -> [UInt8]) {
        let descriptors = streams.map(\.descriptor)
        for thread in 0..<Self.threadCount {
            let own = descriptors.indices.filter { $0 % Self.threadCount == thread }
            Thread { [self] in
                let found = read(own.map { ($0, descriptors[$0]) })
                arrivals.withLock { $0 += found }
                done.signal()
            }.start()
        }
        for (index, stream) in streams.enumerated() { _ = stream.send(request(index)) }
    }

    /// The number of streams whose snapshot has arrived.
    var begunCount: Int { begun.load(ordering: .relaxed) }

    /// The number of events after the snapshots, of all streams.
    var eventCount: Int { count.load(ordering: .relaxed) }

    /// Waits until a condition holds, at most for this many seconds.
    func wait(seconds: Double, until condition: () -> Bool) {
        let deadline = Date().addingTimeInterval(seconds)
        while !condition(), Date() < deadline { usleep(2000) }
    }

    /// Stops, and returns the events of each stream without the snapshots.
    func finish(_ streams: Int) -> [[Arrival]] {
        isOver.store(true, ordering: .relaxed)
        for _ in 0..<Self.threadCount { done.wait() }
        var result = [[Arrival]](repeating: [], count: streams)
        for (stream, arrivals) in arrivals.withLock({ $0 }) { result[stream] = arrivals }
        return result
    }

    private struct Stream {
        let index: Int
        let descriptor: Int32
        var rest: [UInt8] = []
        var hasBegun = false
        var arrivals: [Arrival] = []
    }

    private func read(_ own: [(index: Int, descriptor: Int32)]) -> [(stream: Int, arrivals: [Arrival])] {
        let epoll = epoll_create1(0)
        defer { close(epoll) }
        var streams = own.map { Stream(index: $0.index, descriptor: $0.descriptor) }
        for (place, stream) in streams.enumerated() {
            _ = clinux_epoll_add(epoll, stream.descriptor, UInt32(EPOLLIN.rawValue), UInt64(place))
        }
        var ready = [clinux_ready](repeating: clinux_ready(), count: Int(CLINUX_READY_MAX))
        var buffer = [UInt8](repeating: 0, count: 1 << 17)
        while !isOver.load(ordering: .relaxed) {
            let found = clinux_epoll_wait(epoll, &ready, 50)
            for place in 0..<max(0, Int(found)) {
                let stream = Int(ready[place].data)
                let size = recv(streams[stream].descriptor, &buffer, buffer.count, 0)
                guard size > 0 else {
                    _ = clinux_epoll_remove(epoll, streams[stream].descriptor)
                    continue
                }
                take(buffer[..<size], &streams[stream])
            }
        }
        return streams.map { ($0.index, $0.arrivals) }
    }

    private func take(_ bytes: ArraySlice<UInt8>, _ stream: inout Stream) {
        let now = DispatchTime.now().uptimeNanoseconds
        let (old, all) = stream.rest.isEmpty ? (0, Array(bytes)) : (stream.rest.count, stream.rest + bytes)
        var seqs: [Int] = []
        stream.rest = Array(all[EventScanner.scan(all, from: max(0, old - 1)) { seqs.append($0) }...])
        for seq in seqs {
            if stream.hasBegun {
                stream.arrivals.append(Arrival(seq: seq, at: now))
                count.add(1, ordering: .relaxed)
            } else {
                stream.hasBegun = true
                begun.add(1, ordering: .relaxed)
            }
        }
    }
}

/// A scanner that finds the ends of events in a stream's bytes.
enum EventScanner {
    /// Calls `found` with the number in the id of each complete event with data. Returns the start of the first
    /// incomplete one. The bytes before `start` contain no end of an event.
    static func scan(_ bytes: [UInt8], from start: Int, _ found: (Int) -> Void) -> Int {
        var begin = 0
        bytes.withUnsafeBufferPointer { bytes in
            var index = start
            while index + 1 < bytes.count {
                // An event's end has two line feeds, and nearly every byte is neither: the scan checks every second
                // byte only.
                guard bytes[index + 1] == 10 else {
                    index += 2
                    continue
                }
                guard bytes[index] == 10 || index + 2 < bytes.count && bytes[index + 2] == 10 else {
                    index += 1
                    continue
                }
                let end = bytes[index] == 10 ? index + 2 : index + 3
                if let seq = seq(UnsafeBufferPointer(rebasing: bytes[begin..<end])) { found(seq) }
                begin = end
                index = end
            }
        }
        return begin
    }

    /// Returns the number in the line `id: <epoch>-<seq>` of an event with data. It skips the lines before it: the
    /// response's head, a comment, or a chunk's head, which this server never puts within a line.
    private static func seq(_ event: UnsafeBufferPointer<UInt8>) -> Int? {
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
