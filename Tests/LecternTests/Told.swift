import JSON
import Outbound
import Synchronization

/// What writers were told and what a subscriber heard. A new book is one change, whose number is in the answer's `ETag`, so
/// that both can be compared exactly.
final class Told: Sendable {
    struct Book {
        let seq: Int64
        let id: String
    }

    private let state = Mutex((written: [Book](), refusals: 0, wrong: [String](), heard: [Int64]()))

    /// Takes the answer to a book that was to be made. The status.
    @discardableResult
    func answer(_ response: HTTPClientResponse) -> Int {
        let id = try? JSONDocument(response.body).root["id"]?.string
        // `"<epoch>-<seq>"`, the epoch being eight digits.
        let seq = Int64((response.fields["etag"] ?? "").dropFirst(10).dropLast())
        state.withLock { state in
            if response.status == 201, let id, let seq {
                state.written.append(Book(seq: seq, id: id))
            } else if response.status == 507, response.fields["content-type"] == "application/problem+json" {
                state.refusals += 1
            } else {
                state.wrong.append("\(response.status) \(response.fields)")
            }
        }
        return response.status
    }

    /// Takes the id of an event.
    func hear(_ event: String) { state.withLock { $0.heard.append(Int64(event.dropFirst(9)) ?? -1) } }

    /// Notes what must not be.
    func note(wrong: String) { state.withLock { $0.wrong.append(wrong) } }

    /// The books that were acknowledged, in the order in which they were committed.
    var written: [Book] { state.withLock { $0.written.sorted { $0.seq < $1.seq } } }
    /// Writes that were refused as the contract says.
    var refusals: Int { state.withLock { $0.refusals } }
    /// Answers that were neither.
    var wrong: [String] { state.withLock { $0.wrong } }
    /// The numbers of the events, as they came.
    var heard: [Int64] { state.withLock { $0.heard } }
    /// Whether the subscriber heard of as many books as were acknowledged.
    var hasHeardAll: Bool { state.withLock { $0.heard.count >= $0.written.count } }
}
