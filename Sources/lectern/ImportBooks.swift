import Foundation
import Model
import Outbound
import Synchronization

/// `lectern import books FILE.csv`: each row becomes a `PUT` of a book under an id that follows from the row.
func importBooks(_ arguments: Arguments) throws -> Int32 {
    guard arguments.operands.count == 1 else { throw Arguments.Misuse(message: "import books needs one FILE.csv.") }
    let file = arguments.operands[0]
    guard let data = FileManager.default.contents(atPath: file) else {
        throw Failure(description: "\(file) cannot be read.")
    }
    var csv = CSV(Array(data))
    guard let header = csv.next(), let columns = BookColumns(header: header.fields) else {
        throw Failure(description: "\(file) has no header with a column title (or name) in it.")
    }
    let rows = Array(csv)
    let client = try ServiceClient(arguments)
    let run = ImportRun(file: file, rows: rows, columns: columns)
    let threads = try (0..<min(ImportRun.connections, max(rows.count, 1))).map { _ in
        let connection = try client.another()
        let thread = Thread { run.work(connection) }
        thread.start()
        return thread
    }
    run.wait(for: threads.count)
    print(run.summary)
    return run.hasFailures ? 1 : 0
}

/// The rows on their way, shared by the threads that send them.
final class ImportRun: Sendable {
    /// Requests that are under way at once.
    static let connections = 16

    private struct State {
        var next = 0
        var created = 0
        var updated = 0
        var unchanged = 0
        var failed = 0
        var done: Int { created + updated + unchanged + failed }
    }

    private let file: String
    private let rows: [CSV.Row]
    private let columns: BookColumns
    private let state = Mutex(State())
    private let finished = DispatchSemaphore(value: 0)
    private let bar: ProgressBar

    init(file: String, rows: [CSV.Row], columns: BookColumns) {
        self.file = file
        self.rows = rows
        self.columns = columns
        bar = ProgressBar(total: rows.count)
    }

    /// Sends rows until there are none left.
    func work(_ connection: ServiceConnection) {
        while let row = take() { send(row, connection) }
        finished.signal()
    }

    func wait(for count: Int) {
        for _ in 0..<count { finished.wait() }
        bar.finish()
    }

    var hasFailures: Bool { state.withLock { $0.failed > 0 } }

    var summary: String {
        state.withLock {
            "\($0.done) rows: \($0.created) created, \($0.updated) updated, \($0.unchanged) unchanged, \($0.failed) failed"
        }
    }

    private func take() -> CSV.Row? {
        state.withLock { state in
            guard state.next < rows.count else { return nil }
            state.next += 1
            return rows[state.next - 1]
        }
    }

    private func send(_ row: CSV.Row, _ connection: ServiceConnection) {
        guard let book = columns.book(row.fields) else { return fail(row, "there is no title") }
        do {
            let response = try connection.send(
                "PUT", "/v1/books/\(book.id)", fields: ["Prefer: return=minimal"], body: book.body)
            guard (200...299).contains(response.status) else { return fail(row, Problems.text(response)) }
            note { state in
                if response.status == 201 {
                    state.created += 1
                } else if response.fields["lectern-unchanged"] == "true" {
                    state.unchanged += 1
                } else {
                    state.updated += 1
                }
            }
        } catch {
            fail(row, "\(error)")
        }
    }

    private func fail(_ row: CSV.Row, _ reason: String) {
        FileHandle.standardError.write(Data(printable("\(file):\(row.line): \(reason)\n").utf8))
        note { $0.failed += 1 }
    }

    private func note(_ change: (inout State) -> Void) {
        let done = state.withLock { state in
            change(&state)
            return state.done
        }
        bar.show(done)
    }
}
