import Glibc

/// The content of a file to import.
struct ImportFile {
    /// The name as the person wrote it.
    let name: String
    let bytes: [UInt8]

    /// Reads a file, which may be a pipe.
    init(_ name: String) throws(CommandError) {
        func unreadable() -> CommandError {
            CommandError.failed("\(name) cannot be read: \(String(cString: strerror(errno))).")
        }
        guard let file = fopen(name, "re") else { throw unreadable() }
        // It was only read from, so closing it loses nothing.
        defer { fclose(file) }
        var found = stat()
        var bytes: [UInt8] = []
        if fstat(fileno(file), &found) == 0 { bytes.reserveCapacity(Int(found.st_size)) }
        var part = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = fread(&part, 1, part.count, file), count > 0 { bytes += part[..<count] }
        guard ferror(file) == 0 else { throw unreadable() }
        (self.name, self.bytes) = (name, bytes)
    }
}
