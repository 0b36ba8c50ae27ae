import Glibc
package import Model

/// A file without a name: what was written into it goes with it.
///
/// An export is written into one at the disk's pace, so that no client, however slow, keeps the database's snapshot open, and the
/// write-ahead log with it; and so that an answer begins only when all of it is there.
package final class ExportFile: Sendable {
    private let descriptor: Int32

    /// A file in a directory, which only this user may read.
    init(in directory: String) throws(LecternError) {
        var template = Array((directory + "/export-XXXXXX").utf8CString)
        let made = mkstemp(&template)
        guard made >= 0 else { throw Self.error("no file can be made for an export") }
        unlink(template)
        _ = fcntl(made, F_SETFD, FD_CLOEXEC)
        descriptor = made
    }

    deinit { close(descriptor) }

    func append(_ bytes: [UInt8]) throws(LecternError) {
        var start = 0
        while start < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress.map { $0 + start }, bytes.count - start)
            }
            if count >= 0 { start += count } else if errno != EINTR { throw Self.error("an export cannot be written") }
        }
    }

    /// The bytes from a place on, at most so many; none at the end. They have just been written, and so are in memory still, as a
    /// rule.
    package func bytes(at offset: Int, max: Int) throws(LecternError) -> [UInt8] {
        var count = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: max) { room, filled in
            repeat { count = pread(descriptor, room.baseAddress, max, offset) } while count < 0 && errno == EINTR
            filled = Swift.max(count, 0)
        }
        guard count >= 0 else { throw Self.error("an export cannot be read") }
        return bytes
    }

    private static func error(_ what: String) -> LecternError {
        errno == ENOSPC || errno == EDQUOT ? .outOfSpace : .internalError("\(what): \(DataDirectory.reason())")
    }
}
