import Glibc

/// `lectern export [FILE]`: a file is there whole or not at all, and only its owner may read it.
func export(_ arguments: Arguments) throws -> Int32 {
    let client = try ServiceClient(arguments)
    let path = try exportPath(arguments, client)
    guard let name = arguments.operands.first, name != "-" else {
        try client.download(path) { bytes in write(bytes, to: STDOUT_FILENO) }
        return 0
    }
    let partial = name + ".part"
    let descriptor = open(partial, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw unwritten(partial) }
    do {
        defer { close(descriptor) }
        var tail: [UInt8] = []
        try client.download(path) { bytes in
            tail = Array((tail + bytes).suffix(200))
            return write(bytes, to: descriptor)
        }
        guard path.contains("format=") || isEnd(tail) else {
            throw Failure(description: "The export broke off: nothing was written to \(name).")
        }
        guard fsync(descriptor) == 0, rename(partial, name) == 0 else { throw unwritten(name) }
    } catch {
        unlink(partial)
        throw error
    }
    return 0
}

private func exportPath(_ arguments: Arguments, _ client: ServiceClient) throws -> String {
    let format = arguments[.format] ?? "jsonl"
    if arguments[.own] != nil {
        guard arguments[.account] == nil else { throw Arguments.Misuse(message: "--own or --account, not both.") }
        guard ["jsonl", "csv", "markdown"].contains(format) else {
            throw Arguments.Misuse(message: "--format must be jsonl, csv or markdown, not \"\(format)\".")
        }
        return "/v1/me/export" + (format == "jsonl" ? "" : "?format=\(format)")
    }
    guard format == "jsonl" else { throw Arguments.Misuse(message: "--format \(format) goes with --own.") }
    guard let reader = arguments[.account] else { return "/v1/admin/export" }
    return "/v1/admin/export?reader=" + (try id(ofReader: reader, client))
}

/// Whether what ends so is a whole export.
private func isEnd(_ tail: [UInt8]) -> Bool {
    guard tail.last == 0x0A, let line = tail.dropLast().split(separator: 0x0A).last else { return false }
    return line.starts(with: Array(#"{"kind":"end","#.utf8))
}

/// Writes all of it; false when that cannot be done.
private func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
        let count = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return false }
        rest = rest.dropFirst(count)
    }
    return true
}

private func unwritten(_ name: String) -> Failure {
    Failure(description: "\(name) cannot be written: \(String(cString: strerror(errno))).")
}
