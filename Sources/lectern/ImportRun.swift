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
        /// The row that brought each book first.
        var places: [ResourceID: Int] = [:]
        var counts: [Result: Int] = [:]
        /// Rows of which something was left out.
        var warned = 0
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
        while let (row, reading) = take() {
            do {
                let (book, earlier) = try reading.get()
                warn(row, book)
                if let earlier { try compare(book, with: earlier) }
                guard let connection else {
                    note(.good)
                    continue
                }
                note(earlier == nil ? try send(book, connection) : .unchanged)
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
            let warned = state.warned == 0 ? "" : ", \(state.warned) with a warning"
            if let good = state.counts[.good] {
                return "\(state.done) rows: \(good) can be imported, \(count(.failed)) failed\(warned); "
                    + "nothing was written"
            }
            let kept =
                count(.kept) == 0
                ? "" : ", \(count(.kept)) left as they were (only a file whose --source is named changes its books)"
            return "\(state.done) rows: \(count(.created)) created, \(count(.updated)) updated, "
                + "\(count(.unchanged)) unchanged\(kept), \(count(.failed)) failed\(warned)"
        }
    }

    /// A row as a book, and the row before it that brings the same one.
    private typealias Reading = Swift.Result<(book: BookColumns.Row, earlier: CSV.Row?), BookColumns.Fault>

    /// The next row. Rows are taken and read one after the other, though they are sent side by side: which of two rows of
    /// one book is the first is then the same at each run.
    private func take() -> (row: CSV.Row, reading: Reading)? {
        state.withLock { state in
            guard state.next < rows.endIndex else { return nil }
            let place = state.next
            state.next += 1
            do throws(BookColumns.Fault) {
                let book = try columns.book(rows[place].fields, of: source)
                if let earlier = state.places[book.id] { return (rows[place], .success((book, rows[earlier]))) }
                state.places[book.id] = place
                return (rows[place], .success((book, nil)))
            } catch {
                return (rows[place], .failure(error))
            }
        }
    }

    /// Of two rows that say otherwise of one book nobody knows which is right.
    private func compare(_ book: BookColumns.Row, with earlier: CSV.Row) throws {
        guard try columns.book(earlier.fields, of: source).body == book.body else {
            throw Failure(description: "the row of line \(earlier.line) is of the same book and says otherwise")
        }
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
        say(row, reason)
        note(.failed)
    }

    private func warn(_ row: CSV.Row, _ book: BookColumns.Row) {
        guard !book.warnings.isEmpty else { return }
        say(row, "warning: " + book.warnings.joined(separator: "; "))
        state.withLock { $0.warned += 1 }
    }

    private func say(_ row: CSV.Row, _ text: String) {
        FileHandle.standardError.write(Data(printable("\(file):\(row.line): \(text)\n").utf8))
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
