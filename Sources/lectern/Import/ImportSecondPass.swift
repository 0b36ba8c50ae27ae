import Glibc
import JSON
import Model
import Outbound

/// The second reading of a file: each row becomes a book, and is sent.
///
/// One thread does everything in the order of the rows. Therefore each run decides alike which of two rows of one book
/// is the first.
struct ImportSecondPass {
    /// The number of concurrent requests: as many as one commit of the server takes.
    static let lanes = 256

    /// A row that was sent and has no response yet.
    private struct Sent {
        let line: Int
        let book: CSVBookRow
        /// A Boolean value indicating whether the request reads the existing book for comparison.
        var isCompared = false
        /// A Boolean value indicating whether the request replaces the existing book.
        var replaces = false
    }

    private let file: String
    private var rows: ImportRows
    private var columns: CSVBookColumns
    private let source: CSVRowSource
    private var repeats = DuplicateBookRows()
    private var sent: [Int: Sent] = [:]
    private(set) var tally = ImportResultCounts()
    private var progress: ImportProgress
    private var pausedAt: ContinuousClock.Instant?
    /// The error of the first request that got no response. All others would fail alike, so nothing more is sent.
    private var lost: HTTPClientError?

    init(_ file: ImportFile, _ survey: ImportFirstPass) throws {
        file.rewind()
        self.file = file.name
        rows = ImportRows(file)
        _ = try rows.next()
        (columns, source) = (survey.columns, survey.source)
        progress = ImportProgress(total: survey.rows)
        tally.unused = survey.columns.unused
    }

    /// Checks each row without sending anything.
    mutating func look() throws {
        while try take() != nil { record(.good) }
        progress.finish()
    }

    /// Sends the books of all rows, or of those before it is stopped, and waits for the responses.
    mutating func send(through client: ServiceClient, until isStopped: () -> Bool) throws {
        let lanes = try client.lanes(Self.lanes)
        var broken: (any Error)?
        var goesOn = true
        while true {
            while goesOn, lanes.hasRoom {
                do {
                    goesOn = try lost == nil && !isStopped() && send(client, lanes)
                } catch {
                    (broken, goesOn) = (error, false)
                }
            }
            guard let (lane, outcome) = lanes.next() else { break }
            settle(lane, outcome, client, lanes)
        }
        progress.finish()
        if let broken { throw broken }
        if let lost {
            throw CommandFailure(
                description: "\(lost). \(tally.done) imported rows stay; run the same command again to continue.")
        }
    }

    /// Returns the next valid row whose book no earlier row has, and reports the rows that it skips.
    private mutating func take() throws -> (line: Int, book: CSVBookRow)? {
        while let row = try rows.next() {
            do throws(InvalidBookRow) {
                let book = try columns.book(row, of: source)
                warn(row.line, book)
                if let series = book.series { tally.record(series: series) }
                guard let first = repeats.first(book, line: row.line) else { return (row.line, book) }
                if first.isSame {
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

    /// Sends the next book. Returns `false` if there is none.
    private mutating func send(_ client: ServiceClient, _ lanes: HTTPRequestLanes) throws -> Bool {
        guard let (line, book) = try take() else { return false }
        send(Sent(line: line, book: book), client, lanes)
        return true
    }

    private mutating func send(_ row: Sent, _ client: ServiceClient, _ lanes: HTTPRequestLanes) {
        let condition = row.replaces ? ["If-Match: *"] : []
        let request =
            row.isCompared
            ? client.request("GET", path(row.book))
            : client.request(
                "PUT", path(row.book), fields: ["Prefer: return=minimal"] + condition, body: row.book.body)
        if let lane = lanes.start(request) { sent[lane] = row }
    }

    /// Pauses as the server asks. Requests that were refused together pause once.
    private mutating func pause(_ seconds: Double) {
        if let pausedAt, pausedAt.duration(to: .now) < .seconds(seconds) { return }
        usleep(UInt32(seconds * 1_000_000))
        pausedAt = .now
    }

    private func path(_ book: CSVBookRow) -> String { "/v1/books/\(book.id)" }

    /// Handles the response to a row.
    private mutating func settle(
        _ lane: Int, _ outcome: Result<HTTPClientResponse, HTTPClientError>, _ client: ServiceClient,
        _ lanes: HTTPRequestLanes
    ) {
        guard var row = sent.removeValue(forKey: lane) else { return }
        let response: HTTPClientResponse
        switch outcome {
        case .success(let answer): response = answer
        case .failure(let error):
            lost = lost ?? error
            return
        }
        do {
            if response.status == 429, let seconds = response.fields["retry-after"].flatMap({ Double($0) }) {
                pause(min(max(seconds, 0), 60))
                return send(row, client, lanes)
            }
            if row.isCompared { return record(try compare(row.book, with: response)) }
            switch response.status {
            case 201: record(.created)
            case 412 where !row.replaces:
                // Only a file whose source is named changes its books.
                if source.isNamed { row.replaces = true } else { row.isCompared = true }
                send(row, client, lanes)
            case 200...299: record(response.fields["lectern-unchanged"] == "true" ? .unchanged : .updated)
            default: throw CommandFailure(description: ReceivedProblemText.text(response))
            }
        } catch {
            fail(row.line, "\(error)")
        }
    }

    /// Compares a row with the catalogue's book under its id: the same, the same book with different values, or another
    /// book.
    private func compare(_ book: CSVBookRow, with response: HTTPClientResponse) throws -> ImportResult {
        guard response.status == 200 else { throw CommandFailure(description: ReceivedProblemText.text(response)) }
        let known = try JSONDocument(response.body).root
        let new = try JSONDocument(book.body).root
        if new.members.allSatisfy({ known[$0.name] == $0.value }) { return .unchanged }
        let title = known["title"]?.string ?? ""
        let own = new["title"]?.string ?? ""
        // Earlier versions imported titles with their series.
        let both = book.series.map { "\(own) \($0)" } ?? own
        guard [FoldedSearchText(own), FoldedSearchText(both)].contains(FoldedSearchText(title)) else {
            throw CommandFailure(
                description: "\"\(title)\" of another file or row has this number. Give this file its own --source")
        }
        return .kept
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
