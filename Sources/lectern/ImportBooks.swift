import Foundation
import Outbound

/// `lectern import books FILE.csv`: each row becomes a `PUT` of a book under an id that follows from the row.
///
/// A file that cannot be read to its end as UTF-8 and as CSV is not imported at all: where its rows end nobody knows. A row
/// that is no book, or says otherwise of a book than a row before it, is said, with its line, and the others are imported.
func importBooks(_ arguments: Arguments) throws -> Int32 {
    guard arguments.operands.count == 1 else { throw Arguments.Misuse(message: "import books needs one FILE.csv.") }
    let file = arguments.operands[0]
    guard let data = FileManager.default.contents(atPath: file) else {
        throw Failure(description: "\(file) cannot be read.")
    }
    let rows: [CSV.Row]
    do throws(CSV.Fault) {
        rows = try CSV.rows(Array(data))
    } catch {
        throw Failure(description: "\(file):\(error.line): \(error.reason). Nothing was imported.")
    }
    guard let header = rows.first, let columns = BookColumns(header: header.fields) else {
        throw Failure(description: "\(file) has no header with a column title (or name) in it.")
    }
    let source = try ImportSource(named: arguments[.source], form: columns.form, file: file)
    let run = ImportRun(file: file, rows: rows.dropFirst(), columns: columns, source: source)
    if arguments[.dryRun] != nil {
        run.work(nil)
        run.wait(for: 1)
    } else {
        let client = try ServiceClient(arguments, creates: true)
        let threads = try (0..<min(ImportRun.connections, max(rows.count, 1))).map { _ in
            let connection = try client.another()
            let thread = Thread { run.work(connection) }
            thread.start()
            return thread
        }
        run.wait(for: threads.count)
    }
    print(run.summary)
    return run.hasFailures ? 1 : 0
}
