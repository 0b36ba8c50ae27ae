import Bytes
import JSON
import Model
import Outbound

/// The second reading of a file: each row becomes a book, and is sent in a batch.
///
/// The rows are sent in their order. Therefore each run decides alike which of two rows of one book is the first.
struct ImportSecondPass {
    /// The maximum rows and bytes of a batch. The server takes slightly more.
    private static let rowsMax = 100
    private static let bytesMax = 200 << 10

    /// A valid row of the file.
    private struct Row {
        let line: Int
        let book: CSVBookRow
    }

    private let file: String
    private var rows: CSVParser
    private var columns: CSVBookColumns
    private let source: CSVRowSource
    /// The first row of each book, and the digest of its values. A million rows take less than a hundred megabytes.
    private var firsts: [ResourceID: (line: Int, digest: Int)] = [:]
    private(set) var tally = ImportResultCounts()
    private let total: Int
    private var progress: ImportProgress

    init(_ file: ImportFile, _ survey: ImportFirstPass) throws {
        file.rewind()
        self.file = file.name
        rows = CSVParser(file)
        _ = try rows.next()
        (columns, source) = (survey.columns, survey.source)
        total = survey.rows
        progress = ImportProgress(total: total)
        tally.unused = survey.columns.unused
    }

    /// Checks each row without sending anything.
    mutating func check() throws {
        while try take() != nil { record(.good) }
        progress.finish()
    }

    /// Sends the books of all rows. Throws after a signal.
    mutating func send(through client: ServiceClient, until signals: TerminationSignals) throws {
        defer { progress.finish() }
        var (batch, bytes): ([Row], Int) = ([], 0)
        while let row = try take() {
            if let stop = signals.received {
                throw CommandFailure(
                    description: "\(stop) after \(tally.done) of \(total) rows. Imported rows stay; "
                        + "run the same command again to continue.")
            }
            if batch.count == Self.rowsMax || bytes + row.book.body.count > Self.bytesMax {
                try send(batch, client)
                (batch, bytes) = ([], 0)
            }
            batch.append(row)
            bytes += row.book.body.count
        }
        try send(batch, client)
    }

    /// Returns the next valid row whose book no earlier row has, and reports the rows that it skips.
    private mutating func take() throws -> Row? {
        while let row = try rows.next() {
            do throws(InvalidText) {
                let book = try columns.book(row, of: source)
                warn(row.line, book)
                if let series = book.series { tally.record(series: series) }
                guard book.body.count <= Self.bytesMax else { throw InvalidText(reason: "the row is too long") }
                let digest = book.body.hashValue
                guard let first = firsts[book.id] else {
                    firsts[book.id] = (row.line, digest)
                    return Row(line: row.line, book: book)
                }
                if first.digest == digest {
                    record(.unchanged)
                } else {
                    // Nothing tells which of two contradicting rows is right.
                    fail(row.line, "the row of line \(first.line) is for the same book, and differs")
                }
            } catch {
                fail(row.line, error.reason)
            }
        }
        return nil
    }

    /// Sends a batch. Replaces books that have other values only if the file's source is named.
    private mutating func send(_ batch: [Row], replacing: Bool = false, _ client: ServiceClient) throws {
        guard !batch.isEmpty else { return }
        let answers: [JSONValue]
        do {
            answers =
                try client.sendPatiently("POST", "/v1/batch", body: Self.body(batch, replacing: replacing))?["answers"]?
                .elements.map { $0 } ?? []
        } catch let error as HTTPClientError {
            throw CommandFailure(
                description: "\(error). \(tally.done) imported rows stay; run the same command again to continue.")
        }
        guard answers.count == batch.count else {
            throw CommandFailure(description: "The server answered \(answers.count) of \(batch.count) rows.")
        }
        var different: [Row] = []
        for (row, answer) in zip(batch, answers) {
            switch answer["status"]?.integer ?? 0 {
            case 201: record(.created)
            case 200...299: record(answer["unchanged"]?.bool ?? false ? .unchanged : .updated)
            case 412 where source.isNamed && !replacing: different.append(row)
            case 412 where answer["body"]?["current"] != nil: compare(row, with: answer["body"]?["current"])
            default: fail(row.line, answer["body"].map(ReceivedProblemText.text) ?? "refused")
            }
        }
        try send(different, replacing: true, client)
    }

    /// Returns the body of a batch.
    private static func body(_ batch: [Row], replacing: Bool) -> [UInt8] {
        JSONWriter.object(capacity: bytesMax) { json in
            json.member("atomic", false)
            json.array("requests", batch) { row, json in
                json.object { json in
                    json.member("method", ascii: "PUT")
                    json.member("path", "/v1/books/\(row.book.id)")
                    if replacing { json.member("ifMatch", ascii: "*") }
                    json.member("body", raw: row.book.body)
                }
            }
        }
    }

    /// Records whether the catalogue's book under a row's id is the same, the same with other values, or another book.
    private mutating func compare(_ row: Row, with known: JSONValue?) {
        // The server has accepted the body, so it is JSON.
        guard let known, let new = try? JSONDocument(row.book.body).root else { return fail(row.line, "refused") }
        if new.members.allSatisfy({ known[$0.name] == $0.value }) { return record(.unchanged) }
        let title = known["title"]?.string ?? ""
        guard FoldedSearchText(new["title"]?.string ?? "") == FoldedSearchText(title) else {
            return fail(
                row.line, "\"\(title)\" of another file or row has this number. Give this file its own --source")
        }
        record(.kept)
    }

    private mutating func fail(_ line: Int, _ reason: String) {
        progress.writeLine("\(file):\(line): \(reason)")
        record(.failed)
    }

    private mutating func warn(_ line: Int, _ book: CSVBookRow) {
        guard !book.warnings.isEmpty else { return }
        progress.writeLine("\(file):\(line): warning: " + book.warnings.joined(separator: "; "))
        tally.warned += 1
    }

    private mutating func record(_ result: ImportResult) {
        tally.record(result)
        progress.show(tally.done)
    }
}
