import Glibc

/// `lectern export [FILE]`: writes a file completely or not at all, readable for its owner only. It overwrites an
/// existing file only with `--force`, and a link, a device or a directory never.
func export(_ arguments: CommandLineArguments) throws {
    let isForced = try arguments.isOn(.force)
    var existing = stat()
    if let file = arguments.operands.first, file != "-", lstat(file, &existing) == 0 {
        guard existing.st_mode & S_IFMT == S_IFREG else {
            throw CommandError.misused(
                "\(file) is not a regular file, and is not overwritten. Name another file, or - for standard output.")
        }
        guard isForced else {
            throw CommandError.failed("\(file) exists. Name another file, or overwrite it with --force.")
        }
    }
    let format = try exportFormat(arguments)
    let client = try ServiceClient(arguments)
    let path = try exportPath(arguments, format, client)
    let output = try CommandOutputFile(arguments.operands.first)
    var tail: [UInt8] = []
    try client.download(path) { bytes in
        tail = Array((tail + bytes).suffix(200))
        try output.write(bytes)
    }
    guard format != .jsonl || isEnd(tail) else {
        throw CommandError.failed("The export was interrupted, and the file is incomplete.")
    }
    try output.finish(replacing: isForced)
}

private enum ExportFormat: String { case jsonl, csv, markdown }

/// Returns the format, if it fits the other flags. Throws `CommandError.misused`.
private func exportFormat(_ arguments: CommandLineArguments) throws(CommandError) -> ExportFormat {
    let format: ExportFormat = try arguments.choice(.format)
    let isOwn = try arguments.isOn(.own)
    guard !isOwn || arguments[.account] == nil else {
        throw CommandError.misused("Use --own or --account, not both.")
    }
    guard isOwn || format == .jsonl else {
        throw CommandError.misused("--format \(format.rawValue) needs --own.")
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
