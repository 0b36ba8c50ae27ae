import Foundation
import Glibc
import JSON
import SharedByTests

/// Many event streams of one server, read on the thread that uses them.
final class EventStreams {
    struct Event {
        let name: String
        let id: String
    }

    private struct Stream {
        var descriptor: Int32
        var pending: [UInt8] = []
        /// The members in the snapshot.
        var snapshot: [String]?
        var events: [Event] = []
    }

    private var streams: [Stream] = []

    init(_ paths: [String], atPort port: Int, token: String) {
        for path in paths {
            // HTTP/1.0 has no chunks.
            let request =
                "GET \(path) HTTP/1.0\r\nHost: t\r\nAccept: text/event-stream\r\nAuthorization: Bearer \(token)\r\n\r\n"
            streams.append(Stream(descriptor: Loopback.connect(port: port, sending: request)))
        }
    }

    deinit { for stream in streams where stream.descriptor >= 0 { close(stream.descriptor) } }

    var snapshots: [[String]?] { streams.map(\.snapshot) }

    /// Returns the events of each stream since the last call.
    func take() -> [[Event]] {
        streams.indices.map { index in
            defer { streams[index].events = [] }
            return streams[index].events
        }
    }

    /// Reads until each stream has a snapshot, and returns whether that succeeded.
    func awaitSnapshots() -> Bool { read { $0.snapshot != nil } }

    /// Reads until each stream has received its own book.
    func await(_ ids: [String]) -> Bool {
        var left = zip(streams.indices, ids).map { $0 }
        return eventually {
            left.removeAll { index, id in streams[index].events.contains { $0.id == id } }
            if !left.isEmpty { receive() }
            return left.isEmpty
        }
    }

    private func read(until condition: (Stream) -> Bool) -> Bool {
        eventually {
            if !streams.allSatisfy(condition) { receive() }
            return streams.allSatisfy(condition)
        }
    }

    /// Receives available bytes, and waits a moment if there are none.
    private func receive() {
        var waiting = streams.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
        guard poll(&waiting, nfds_t(waiting.count), 100) > 0 else { return }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        for index in waiting.indices where waiting[index].revents != 0 {
            let count = recv(streams[index].descriptor, &buffer, buffer.count, 0)
            guard count > 0 else {
                // This stream has ended.
                close(streams[index].descriptor)
                streams[index].descriptor = -1
                continue
            }
            streams[index].pending += buffer[..<count]
            cut(index)
        }
    }

    /// Removes and handles the complete events in the received bytes.
    private func cut(_ index: Int) {
        let bytes = streams[index].pending
        var start = 0
        for end in bytes.indices.dropLast() where end >= start && bytes[end] == 10 && bytes[end + 1] == 10 {
            take(String(decoding: bytes[start..<end], as: UTF8.self), index)
            start = end + 2
        }
        streams[index].pending.removeFirst(start)
    }

    private func take(_ block: String, _ index: Int) {
        let lines = block.utf8.split(separator: 10)
        guard let name = lines.first(where: { $0.starts(with: "event: ".utf8) })?.dropFirst(7),
            let data = lines.first(where: { $0.starts(with: "data: ".utf8) })?.dropFirst(6),
            let root = try? JSONDocument(Array(data)).root
        else { return }
        if let items = root["items"] {
            streams[index].snapshot = items.elements.compactMap { $0["id"]?.string }
        } else {
            streams[index].events.append(Event(name: String(Substring(name)), id: root["id"]?.string ?? ""))
        }
    }
}
