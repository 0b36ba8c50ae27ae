import Glibc

/// `lectern export [FILE]`: writes a file completely or not at all, readable for its owner only. It overwrites an
/// existing file only with `--force`.
func export(_ arguments: Arguments) throws -> Int32 {
    let isForced = arguments[.force] != nil
    if let file = arguments.operands.first, file != "-", !isForced, access(file, F_OK) == 0 {
        throw Failure(description: "\(file) exists. Name another file, or overwrite it with --force.")
    }
    let client = try ServiceClient(arguments)
    let path = try exportPath(arguments, client)
    let output = try Output(arguments.operands.first)
    var (tail, fault) = ([UInt8](), (any Error)?.none)
    do {
        try client.download(path) { bytes in
            tail = Array((tail + bytes).suffix(200))
            do { try output.write(bytes) } catch { fault = error }
            return fault == nil
        }
    } catch {
        throw fault ?? error
    }
    guard path.contains("format=") || isEnd(tail) else {
        throw Failure(description: "The export was interrupted, and the file is incomplete.")
    }
    try output.finish(replacing: isForced)
    return 0
}

private func exportPath(_ arguments: Arguments, _ client: ServiceClient) throws -> String {
    let format = arguments[.format] ?? "jsonl"
    if arguments[.own] != nil {
        guard arguments[.account] == nil else { throw Arguments.Misuse(message: "Use --own or --account, not both.") }
        guard ["jsonl", "csv", "markdown"].contains(format) else {
            throw Arguments.Misuse(message: "--format must be jsonl, csv or markdown, not \"\(format)\".")
        }
        return "/v1/me/export" + (format == "jsonl" ? "" : "?format=\(format)")
    }
    guard format == "jsonl" else { throw Arguments.Misuse(message: "--format \(format) needs --own.") }
    guard let reader = arguments[.account] else { return "/v1/admin/export" }
    return "/v1/admin/export?reader=" + (try id(ofReader: reader, client))
}

/// Returns whether an export that ends with these bytes is complete.
private func isEnd(_ tail: [UInt8]) -> Bool {
    guard tail.last == 0x0A, let line = tail.dropLast().split(separator: 0x0A).last else { return false }
    return line.starts(with: Array(#"{"kind":"end","#.utf8))
}
