import JSON
import LecternClient
import Model

/// `lectern import FILE`: sends the lines that `lectern export` wrote, in slices of one request each. Existing rows
/// stay as they are, so the same command resumes an interrupted import. A refused line is reported and does not stop
/// the others.
func importLines(_ arguments: CommandLineArguments) throws {
    let name = arguments.operands[0]
    let file: ImportFile
    do {
        file = try ImportFile(name)
    } catch {
        guard let meant = arguments.command.subcommand(like: name) else { throw error }
        throw CommandError.failed("\(error) Did you mean `lectern \(meant)`?")
    }
    let survey = try ImportFileCheck(file)
    let isOwn = try arguments.isOn(.own)
    guard !isOwn || survey.account != nil else {
        throw CommandError.failed(
            "\(name) has a whole server, not one account. Import it without --own, on the server's machine.")
    }
    let signals = TerminationSignals()
    let client = try ServiceClient(arguments, creates: true)
    var run = ExportLineImport(
        name: name, path: isOwn ? "/v1/me/import" : "/v1/admin/import", account: survey.account,
        replaces: try arguments.isOn(.replace), total: survey.count)
    var lines = ExportedLines(file)
    _ = lines.next()
    defer { print(run.summary) }
    while let line = lines.next(), lines.number <= survey.count + 1 {
        let line = survey.isOfDevelopment ? DevelopmentLine(try JSONDocument(line).root)?.converted : line
        if let line { try run.add(line, number: lines.number, client) }
        try run.progress.demandNoSignal(signals, run.done)
    }
    try run.send(client)
    if run.refused > 0 { throw CommandError.ended(code: 1) }
}

/// A slice of lines that are sent to a server.
private struct ExportLineImport {
    /// The maximum lines and bytes of one request.
    private static let linesMax = 500
    private static let bytesMax = 700 << 10

    private let path: String
    private let head: [UInt8]
    private var body: [UInt8] = []
    private var numbers: [Int] = []
    private(set) var done = 0
    private(set) var refused = 0
    private var counts = [0, 0, 0]
    private(set) var progress: ImportProgress

    init(name: String, path: String, account: String?, replaces: Bool, total: Int) {
        self.path = path
        var json = JSONWriter()
        json.beginObject()
        json.member("account", ifAny: account)
        json.member("replace", replaces)
        json.name("lines")
        json.beginArray()
        head = json.bytes
        progress = ImportProgress(of: name, total: total, "lines")
    }

    var summary: String {
        "\(done) lines: \(counts[0]) created, \(counts[1]) updated, \(counts[2]) unchanged, \(refused) refused"
    }

    /// Adds a line, and sends the waiting lines first if the slice is full.
    mutating func add(_ line: [UInt8], number: Int, _ client: ServiceClient) throws {
        if numbers.count == Self.linesMax || body.count + line.count > Self.bytesMax { try send(client) }
        if !numbers.isEmpty { body.append(UInt8(ascii: ",")) }
        body += line
        numbers.append(number)
    }

    /// Sends the waiting lines.
    mutating func send(_ client: ServiceClient) throws {
        guard !numbers.isEmpty else { return }
        let answer = try client.sendPatiently("POST", path, body: head + body + Array("]}".utf8))
        for (index, member) in ["created", "updated", "unchanged"].enumerated() {
            counts[index] += Int(answer?[member]?.integer ?? 0)
        }
        for refusal in answer?["refused"]?.elements ?? [] {
            refused += 1
            let line = refusal["line"]?.integer.flatMap { numbers.indices.contains(Int($0)) ? numbers[Int($0)] : nil }
            progress.report(line ?? 0, refusal["problem"].map { Problem($0).description } ?? "refused")
        }
        done += numbers.count
        (body, numbers) = ([], [])
        progress.show(done)
    }
}
