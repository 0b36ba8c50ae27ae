import Glibc

/// `lectern export [FILE]`: writes a file completely or not at all, readable for its owner only. It overwrites an
/// existing file only with `--force`.
func export(_ arguments: CommandLineArguments) throws {
    let isForced = try arguments.isOn(.force)
    if let file = arguments.operands.first, file != "-", !isForced, access(file, F_OK) == 0 {
        throw CommandFailure(description: "\(file) exists. Name another file, or overwrite it with --force.")
    }
    let format = try exportFormat(arguments)
    let client = try ServiceClient(arguments)
    let path = try exportPath(arguments, format, client)
    let output = try CommandOutputFile(arguments.operands.first)
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
    guard format != .jsonl || isEnd(tail) else {
        throw CommandFailure(description: "The export was interrupted, and the file is incomplete.")
    }
    try output.finish(replacing: isForced)
}

private enum ExportFormat: String { case jsonl, csv, markdown }

/// Returns the format, if it fits the other flags. Throws `Misuse`.
private func exportFormat(_ arguments: CommandLineArguments) throws(CommandLineArguments.Misuse) -> ExportFormat {
    let format: ExportFormat = try arguments.choice(.format)
    let isOwn = try arguments.isOn(.own)
    guard !isOwn || arguments[.account] == nil else {
        throw CommandLineArguments.Misuse(message: "Use --own or --account, not both.")
    }
    guard isOwn || format == .jsonl else {
        throw CommandLineArguments.Misuse(message: "--format \(format.rawValue) needs --own.")
    }
    return format
}

private func exportPath(_ arguments: CommandLineArguments, _ format: ExportFormat, _ client: ServiceClient) throws
    -> String
{
    if try arguments.isOn(.own) { return "/v1/me/export" + (format == .jsonl ? "" : "?format=\(format.rawValue)") }
    guard let reader = arguments[.account] else { return "/v1/admin/export" }
    return "/v1/admin/export?reader=" + (try id(ofReader: reader, client))
}

/// Returns whether an export that ends with these bytes is complete.
private func isEnd(_ tail: [UInt8]) -> Bool {
    guard tail.last == 0x0A, let line = tail.dropLast().split(separator: 0x0A).last else { return false }
    return line.starts(with: Array(#"{"kind":"end","#.utf8))
}
