import JSON
import Outbound
import Synchronization

/// The writers' responses and a subscriber's events. A new book is one change, whose number is in the response's
/// `ETag`. Both can thus be compared exactly.
final class ReceivedEvents: Sendable {
    struct Book {
        let seq: Int64
        let id: String
    }

    private let state = Mutex((written: [Book](), refusals: 0, wrong: [String](), received: [Int64]()))

    /// Records the response to a new book, and returns its status.
    @discardableResult
    func answer(_ response: HTTPClientResponse) -> Int {
        let id = try? JSONDocument(response.body).root["id"]?.string
        // The format is `"<epoch>-<seq>"`, with an epoch of eight digits.
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

    /// Records the id of an event.
    func receive(_ event: String) { state.withLock { $0.received.append(Int64(event.dropFirst(9)) ?? -1) } }

    /// Records a failure.
    func note(wrong: String) { state.withLock { $0.wrong.append(wrong) } }

    /// The acknowledged books, in the order of their commits.
    var written: [Book] { state.withLock { $0.written.sorted { $0.seq < $1.seq } } }
    /// The number of writes that were refused according to the contract.
    var refusals: Int { state.withLock { $0.refusals } }
    /// The responses that were neither.
    var wrong: [String] { state.withLock { $0.wrong } }
    /// The numbers of the events, in their order.
    var received: [Int64] { state.withLock { $0.received } }
    /// A Boolean value indicating whether the subscriber received as many books as were acknowledged.
    var hasHeardAll: Bool { state.withLock { $0.received.count >= $0.written.count } }
}
