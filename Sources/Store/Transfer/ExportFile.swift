import Glibc
package import Model

/// A file without a name: what was written into it goes with it.
///
/// An export is written into one at the disk's pace, so that no client, however slow, keeps the database's snapshot open, and the
/// write-ahead log with it; and so that an answer begins only when all of it is there.
package final class ExportFile: Sendable {
    private let descriptor: Int32
    private let place: ExportPlace

    /// A file in a directory, which only this user may read.
    init(in directory: String, _ place: ExportPlace) throws(LecternError) {
        var template = Array((directory + "/export-XXXXXX").utf8CString)
        let made = mkstemp(&template)
        guard made >= 0 else { throw Self.error("cannot create a file for an export") }
        guard unlink(template) == 0, fcntl(made, F_SETFD, FD_CLOEXEC) == 0 else {
            // Nothing was written.
            close(made)
            throw Self.error("cannot remove the name of an export's file")
        }
        (descriptor, self.place) = (made, place)
    }

    // The file's content is discarded with it.
    deinit { close(descriptor) }

    /// All of it is fetched: its reader may have another. Without being asked for, at the latest when the file goes.
    package func leave() { place.leave() }

    /// How long it is.
    package var count: Int {
        var state = stat()
        return fstat(descriptor, &state) == 0 ? state.st_size : 0
    }

    func append(_ bytes: [UInt8]) throws(LecternError) {
        guard bytes.withUnsafeBytes({ WholeWrite.of($0, to: descriptor) }) else {
            throw Self.error("cannot write an export")
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
        guard count >= 0 else { throw Self.error("cannot read an export") }
        return bytes
    }

    private static func error(_ what: String) -> LecternError {
        errno == ENOSPC || errno == EDQUOT ? .outOfSpace : .internalError("\(what): \(DataDirectory.reason())")
    }
}
