import FoundationEssentials
import Glibc
import Store

/// The file of an import, which is read twice. The second reading gets the same chunks, and fails if one has changed.
/// Nothing is imported from a file that was not read to its end before.
final class ImportFile {
    static let chunkBytes = 64 << 10

    /// The name as the person wrote it.
    let name: String
    private let descriptor: Int32
    private var offset = 0
    /// The digests of the first reading's chunks, including the empty one at the end.
    private var digests: [Int] = []
    private var isSecond = false
    private var place = 0

    /// Opens a file. A file that cannot be read twice, such as a pipe, is first copied to a temporary file without a
    /// name.
    init(_ name: String) throws(CommandFailure) {
        self.name = name
        let opened = open(name, O_RDONLY | O_CLOEXEC)
        guard opened >= 0 else { throw Self.unreadable(name) }
        // A pipe has no position.
        if lseek(opened, 0, SEEK_CUR) >= 0 {
            descriptor = opened
        } else {
            defer { close(opened) }
            descriptor = try Self.copy(opened, name)
        }
    }

    deinit { close(descriptor) }

    /// Returns the first bytes, regardless of the reading position, or none if they cannot be read.
    func beginning() -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Self.chunkBytes)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        return Array(bytes.prefix(max(count, 0)))
    }

    /// Returns the next bytes, or none at the end. Throws if the second reading differs from the first.
    func chunk() throws(CommandFailure) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Self.chunkBytes)
        let count = try Self.fill(&bytes, of: name) { pread(descriptor, $0, $1, offset + $2) }
        bytes.removeSubrange(count...)
        offset += count
        let digest = bytes.digest
        defer { place += 1 }
        if !isSecond {
            digests.append(digest)
        } else if place >= digests.count || digests[place] != digest {
            throw CommandFailure(description: "\(name) has changed since it was checked. The import was stopped.")
        }
        return bytes
    }

    /// Starts the second reading at the beginning.
    func rewind() { (offset, place, isSecond) = (0, 0, true) }

    /// Reads until `bytes` is full or the file ends, and returns the number of bytes.
    private static func fill(
        _ bytes: inout [UInt8], of name: String, _ read: (UnsafeMutableRawPointer?, Int, Int) -> Int
    ) throws(CommandFailure) -> Int {
        var count = 0
        while count < bytes.count {
            let got = bytes.withUnsafeMutableBytes {
                read($0.baseAddress.map { $0 + count }, $0.count - count, count)
            }
            if got == 0 { break }
            if got > 0 { count += got } else if errno != EINTR { throw unreadable(name) }
        }
        return count
    }

    private static func copy(_ source: Int32, _ name: String) throws(CommandFailure) -> Int32 {
        let folder = FileManager.default.temporaryDirectory.path
        var template = Array((folder + "/lectern-import-XXXXXX").utf8CString)
        let made = mkstemp(&template)
        guard made >= 0 else { throw notStored(name, folder) }
        unlink(template)
        do throws(CommandFailure) {
            var bytes = [UInt8](repeating: 0, count: chunkBytes)
            while true {
                let count = try fill(&bytes, of: name) { pointer, count, _ in read(source, pointer, count) }
                if count == 0 { return made }
                guard bytes[..<count].withUnsafeBytes({ CompleteFileWrite.of($0, to: made) }) else {
                    throw notStored(name, folder)
                }
            }
        } catch {
            close(made)
            throw error
        }
    }

    private static func unreadable(_ name: String) -> CommandFailure {
        CommandFailure(description: "\(name) cannot be read: \(String(cString: strerror(errno))).")
    }

    private static func notStored(_ name: String, _ folder: String) -> CommandFailure {
        CommandFailure(
            description: "\(name) can be read only once, and cannot be stored in \(folder): "
                + "\(String(cString: strerror(errno))). Set TMPDIR to another folder.")
    }
}

extension [UInt8] {
    /// A digest to compare with others in this process. `hashValue` hashes each byte by itself.
    var digest: Int {
        var hasher = Hasher()
        withUnsafeBytes { hasher.combine(bytes: $0) }
        return hasher.finalize()
    }
}
