import Foundation
import JSON
import Model
import Outbound
import Synchronization

/// The rows of a file on their way, shared by the threads that send them.
final class ImportRun: Sendable {
    /// Requests that are under way at once.
    static let connections = 16

    private enum Result { case good, created, updated, unchanged, kept, failed }

    private struct State {
        var next: Int
        /// Of a named source: where each book was first.
        var places: [ResourceID: Int] = [:]
        var counts: [Result: Int] = [:]
        var done = 0
    }

    private let file: String
    private let rows: ArraySlice<CSV.Row>
    private let columns: BookColumns
    private let source: ImportSource
    private let state: Mutex<State>
    private let finished = DispatchSemaphore(value: 0)
    private let bar: ProgressBar

    init(file: String, rows: ArraySlice<CSV.Row>, columns: BookColumns, source: ImportSource) {
        self.file = file
        self.rows = rows
        self.columns = columns
        self.source = source
        state = Mutex(State(next: rows.startIndex))
        bar = ProgressBar(total: rows.count)
    }

    /// Sends rows until there are none left; without a connection only looks whether each is a book.
    func work(_ connection: ServiceConnection?) {
        while let (row, earlier) = take() {
            do {
                let book = try columns.book(row.fields, of: source)
                if let earlier {
                    note(try repeats(book, earlier))
                } else {
                    note(try connection.map { try send(book, $0) } ?? .good)
                }
            } catch let fault as BookColumns.Fault {
                fail(row, fault.reason)
            } catch {
                fail(row, "\(error)")
            }
        }
        finished.signal()
    }

    func wait(for count: Int) {
        for _ in 0..<count { finished.wait() }
        bar.finish()
    }

    var hasFailures: Bool { state.withLock { $0.counts[.failed, default: 0] > 0 } }

    var summary: String {
        state.withLock { state in
            func count(_ result: Result) -> Int { state.counts[result, default: 0] }
            if let good = state.counts[.good] {
                return "\(state.done) rows: \(good) can be imported, \(count(.failed)) failed; nothing was written"
            }
            let kept =
                count(.kept) == 0
                ? "" : ", \(count(.kept)) left as they were (only a file whose --source is named changes its books)"
            return "\(state.done) rows: \(count(.created)) created, \(count(.updated)) updated, "
                + "\(count(.unchanged)) unchanged\(kept), \(count(.failed)) failed"
        }
    }

    /// The next row, and the one before it that brings the same book: of a named source either would change what the other
    /// says, each time anew. Rows are taken one after the other, so that it is the same one at each run.
    private func take() -> (row: CSV.Row, earlier: CSV.Row?)? {
        state.withLock { state in
            guard state.next < rows.endIndex else { return nil }
            let place = state.next
            state.next += 1
            guard source.isNamed, let id = columns.id(rows[place].fields, of: source) else { return (rows[place], nil) }
            if let earlier = state.places[id] { return (rows[place], rows[earlier]) }
            state.places[id] = place
            return (rows[place], nil)
        }
    }

    private func repeats(_ book: BookColumns.Row, _ earlier: CSV.Row) throws -> Result {
        guard try columns.book(earlier.fields, of: source).body == book.body else {
            throw Failure(description: "the row of line \(earlier.line) is of the same book and says otherwise")
        }
        return .unchanged
    }

    private func send(_ book: BookColumns.Row, _ connection: ServiceConnection) throws -> Result {
        let path = "/v1/books/\(book.id)"
        // Who did not name the source may only add.
        let condition = source.isNamed ? [] : ["If-None-Match: *"]
        let response = try connection.send("PUT", path, fields: ["Prefer: return=minimal"] + condition, body: book.body)
        switch response.status {
        case 201: return .created
        case 412 where !source.isNamed: return try compare(book, with: connection.send("GET", path))
        case 200...299: return response.fields["lectern-unchanged"] == "true" ? .unchanged : .updated
        default: throw Failure(description: Problems.text(response))
        }
    }

    /// What the catalogue has under a row's id: the same, the same book said otherwise, or another book.
    private func compare(_ book: BookColumns.Row, with response: HTTPClientResponse) throws -> Result {
        guard response.status == 200 else { throw Failure(description: Problems.text(response)) }
        let known = try JSONDocument(response.body).root
        let new = try JSONDocument(book.body).root
        if new.members.allSatisfy({ known[$0.name] == $0.value }) { return .unchanged }
        let title = known["title"]?.string ?? ""
        guard SearchText(title) == SearchText(new["title"]?.string ?? "") else {
            throw Failure(
                description: "\"\(title)\" of another file or row has this number: name this file's --source")
        }
        return .kept
    }

    private func fail(_ row: CSV.Row, _ reason: String) {
        FileHandle.standardError.write(Data(printable("\(file):\(row.line): \(reason)\n").utf8))
        note(.failed)
    }

    private func note(_ result: Result) {
        let done = state.withLock { state in
            state.counts[result, default: 0] += 1
            state.done += 1
            return state.done
        }
        bar.show(done)
    }
}
