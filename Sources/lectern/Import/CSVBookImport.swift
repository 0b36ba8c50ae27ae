import Bytes
import JSON
import LecternClient
import Model

/// The import of a file of books, which is parsed twice: the first time only to its end, and the second time each row
/// becomes a book, and is sent in a batch.
///
/// The rows are sent in their order. Therefore each run decides alike which of two rows of one book is the first.
struct CSVBookImport {
    /// The maximum rows and bytes of a batch. The server takes slightly more.
    private static let rowsMax = 100
    private static let bytesMax = 200 << 10

    private var rows: CSVParser
    private let columns: CSVBookColumns
    private let source: CSVRowSource
    /// The first row of each book, and the digest of its values. A million rows take less than a hundred megabytes.
    private var firsts: [ResourceID: (line: Int, digest: Int)] = [:]
    private(set) var tally = ImportResultCounts()
    private var progress: ImportProgress

    /// Parses a whole file. `named` is the source that the person named, if any.
    init(_ file: ImportFile, source named: String?) throws {
        if file.bytes.starts(with: "{\"kind\":\"export\"".utf8) {
            throw CommandError.failed("\(file.name) is an export. Import it with `lectern import \(file.name)`.")
        }
        var rows = CSVParser(file.bytes)
        var total = 0
        do {
            let header = try rows.next()?.fields ?? []
            guard let columns = CSVBookColumns(header: header, separator: rows.separator) else {
                throw Self.noTitle(file, header)
            }
            self.columns = columns
            source = try CSVRowSource(named: named, form: columns.form, file: file.name)
            self.rows = rows
            while try rows.next() != nil { total += 1 }
        } catch let fault as CSVSyntaxError {
            throw CommandError.failed("\(file.name):\(fault.line): \(fault.reason). Nothing was imported.")
        }
        progress = ImportProgress(of: file.name, total: total, "rows")
        tally.unused = columns.unused
    }

    /// Returns why a file is not a list of books, and what to do.
    private static func noTitle(_ file: ImportFile, _ header: [String]) -> CommandError {
        let named = header.prefix(20).map { "\"\($0.prefix(40))\"" }.joined(separator: ", ")
        return CommandError.failed(
            "\(file.name):1: the first line must name the columns, one of them title (or name), separated by commas, "
                + "semicolons or tabs; it has \(named.isEmpty ? "nothing" : named). Nothing was imported.")
    }

    /// Checks each row without sending anything.
    mutating func check() throws {
        while let row = try take() {
            if row.rating != nil { tally.rated += 1 }
            record(.good)
        }
    }

    /// Sends the books of all rows. Throws after a signal.
    mutating func send(through client: ServiceClient, until signals: TerminationSignals) throws {
        var (batch, bytes): ([CSVBookRow], Int) = ([], 0)
        while let row = try take() {
            try progress.demandNoSignal(signals, tally.done)
            if batch.count == Self.rowsMax || bytes + row.body.count > Self.bytesMax {
                try send(batch, client)
                (batch, bytes) = ([], 0)
            }
            batch.append(row)
            bytes += row.body.count
        }
        try send(batch, client)
    }

    /// Returns the next valid row whose book no earlier row has, or that has a rating, and reports the rows that it
    /// skips.
    private mutating func take() throws -> CSVBookRow? {
        while let row = try rows.next() {
            do throws(InvalidText) {
                let book = try columns.book(row, of: source)
                warn(book.line, book.warnings)
                if let series = book.series { tally.record(series: series) }
                guard book.body.count <= Self.bytesMax else { throw InvalidText(reason: "the row is too long") }
                let digest = book.body.hashValue
                let first = firsts[book.id]
                if first == nil { firsts[book.id] = (book.line, digest) }
                if let first, first.digest != digest {
                    // Nothing tells which of two contradicting rows is right.
                    throw InvalidText(reason: "the row of line \(first.line) is for the same book, and differs")
                }
                if first == nil || book.rating != nil { return book }
                record(.unchanged)
            } catch {
                record(failure(row.line, error.reason))
            }
        }
        return nil
    }

    /// Sends a batch. Replaces books that have other values only if the file's source is named.
    private mutating func send(_ batch: [CSVBookRow], replacing: Bool = false, _ client: ServiceClient) throws {
        let requests = batch.map { (path: "/v1/books/\($0.id)", body: $0.body) }
        let answers = try answers(to: requests, replacing ? "ifMatch" : nil, client)
        var (different, rated): ([CSVBookRow], [CSVBookRow]) = ([], [])
        for (row, answer) in zip(batch, answers) {
            let result: ImportResult
            switch answer["status"]?.integer ?? 0 {
            case 201: result = .created
            case 200...299: result = answer["unchanged"]?.bool ?? false ? .unchanged : .updated
            case 412 where source.isNamed && !replacing:
                different.append(row)
                continue
            case 412 where answer["body"]?["current"] != nil:
                result = comparison(row, with: answer["body"]?["current"])
            // Nothing is to change, so the right to change the book does not matter.
            case 403 where !source.isNamed && answer["body"].map({ Problem($0).kind }) == .librariansOnly:
                result = comparison(row, with: try client.sendPatiently("GET", "/v1/books/\(row.id)"))
            default: result = failure(row.line, answer["body"].map { Problem($0).description } ?? "refused")
            }
            record(result)
            if result != .failed, row.rating != nil { rated.append(row) }
        }
        try rate(rated, client)
        if !different.isEmpty { try send(different, replacing: true, client) }
    }

    /// Rates finished readings of the rows' books. Their ids follow from the reader and the book, so a repetition finds
    /// the readings, and changes no rating.
    private mutating func rate(_ rows: [CSVBookRow], _ client: ServiceClient) throws {
        guard !rows.isEmpty, let reader = try client.sendPatiently("GET", "/v1/me")?["id"]?.string else { return }
        let now = Instant.now
        let requests = rows.compactMap { row in
            row.rating.map { rating in
                let id = CSVBookColumns.id(of: "reading:\(reader):\(row.id):\(rating.reading)")
                let reading = JSONWriter.object { json in
                    json.member("book", row.id)
                    json.member("finishedAt", min(rating.finishedAt ?? now, now))
                }
                let stars = JSONWriter.object { $0.member("stars", rating.stars) }
                return (row: row, path: "/v1/readings/\(id)", reading: reading, stars: stars)
            }
        }
        let readings = try answers(to: requests.map { ($0.path, $0.reading) }, nil, client)
        let ratings = try answers(to: requests.map { ($0.path + "/rating", $0.stars) }, "ifNoneMatch", client)
        for (index, request) in requests.enumerated() {
            switch ratings[index]["status"]?.integer {
            case 201: tally.rated += 1
            case 412: break
            default:
                let problem = readings[index]["body"].map { Problem($0).description } ?? "refused"
                warn(request.row.line, ["stars: \(problem): left out"])
            }
        }
    }

    /// Sends `PUT` requests in one batch, with `*` in a precondition, and returns their responses.
    private func answers(
        to requests: [(path: String, body: [UInt8])], _ precondition: StaticString?, _ client: ServiceClient
    ) throws -> [JSONValue] {
        guard !requests.isEmpty else { return [] }
        let body = JSONWriter.object(capacity: Self.bytesMax) { json in
            json.member("atomic", false)
            json.array("requests", requests) { request, json in
                json.object { json in
                    json.member("method", ascii: "PUT")
                    json.member("path", request.path)
                    if let precondition { json.member(precondition, ascii: "*") }
                    json.member("body", raw: request.body)
                }
            }
        }
        let answers: [JSONValue]
        do {
            answers = try client.sendPatiently("POST", "/v1/batch", body: body)?["answers"]?.elements ?? []
        } catch LecternClientError.unreachable(let why) {
            throw CommandError.failed(
                "\(why). \(tally.done) imported rows stay; run the same command again to continue.")
        }
        guard answers.count == requests.count else {
            throw CommandError.failed("The server answered \(answers.count) of \(requests.count) rows.")
        }
        return answers
    }

    /// Returns whether the catalogue's book under a row's id is the same, the same with other values, or another book.
    private func comparison(_ row: CSVBookRow, with known: JSONValue?) -> ImportResult {
        // The server has accepted the body, so it is JSON.
        guard let known, let new = try? JSONDocument(row.body).root else { return failure(row.line, "refused") }
        if new.members.allSatisfy({ known[$0.name] == $0.value }) { return .unchanged }
        let title = known["title"]?.string ?? ""
        guard FoldedSearchText(new["title"]?.string ?? "") == FoldedSearchText(title) else {
            return failure(
                row.line, "\"\(title)\" of another file or row has this number. Give this file its own --source")
        }
        return .kept
    }

    private func failure(_ line: Int, _ reason: String) -> ImportResult {
        progress.report(line, reason)
        return .failed
    }

    private mutating func warn(_ line: Int, _ warnings: [String]) {
        guard !warnings.isEmpty else { return }
        progress.report(line, "warning: " + warnings.joined(separator: "; "))
        tally.warned += 1
    }

    private mutating func record(_ result: ImportResult) {
        tally.record(result)
        progress.show(tally.done)
    }
}
