import Glibc
package import Model
import Synchronization

/// A file without a name, whose content is deleted when it is closed.
///
/// An export is written to it as fast as the disk allows. A slow client therefore cannot keep the database's snapshot
/// open, which would keep the write-ahead log from being copied. The response begins only when the export is complete.
package final class ExportTemporaryFile: Sendable {
    private let descriptor: Int32
    private let isLeft = Atomic(false)
    private let onLeaving: @Sendable () -> Void

    /// Creates a private file in a directory. `onLeaving` is called once: when the file is fetched or closed, or if this
    /// throws.
    init(in directory: String, onLeaving: @escaping @Sendable () -> Void) throws(RequestError) {
        var template = Array("\(directory)/\(DataDirectory.temporary)XXXXXX".utf8CString)
        (descriptor, self.onLeaving) = (mkstemp(&template), onLeaving)
        // All properties are set, so `deinit` follows the errors.
        guard descriptor >= 0 else { throw Self.error("cannot create a file for an export") }
        guard unlink(template) == 0, fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0 else {
            throw Self.error("cannot remove the name of an export's file")
        }
    }

    deinit {
        leave()
        // The file's content is discarded with it.
        close(descriptor)
    }

    /// Lets the reader start another export, because this one was fetched. Without this call, that happens when the
    /// file is closed.
    package func leave() {
        if !isLeft.exchange(true, ordering: .relaxed) { onLeaving() }
    }

    /// The length of the file in bytes.
    package var count: Int {
        var state = stat()
        return fstat(descriptor, &state) == 0 ? state.st_size : 0
    }

    func append(_ bytes: [UInt8]) throws(RequestError) {
        guard bytes.withUnsafeBytes({ CompleteFileWrite.of($0, to: descriptor) }) else {
            throw Self.error("cannot write an export")
        }
    }

    /// Returns up to `max` bytes from an offset, or none at the end. They were just written, so they are usually still
    /// in memory.
    package func bytes(at offset: Int, max: Int) throws(RequestError) -> [UInt8] {
        var count = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: max) { room, filled in
            repeat { count = pread(descriptor, room.baseAddress, max, offset) } while count < 0 && errno == EINTR
            filled = Swift.max(count, 0)
        }
        guard count >= 0 else { throw Self.error("cannot read an export") }
        return bytes
    }

    private static func error(_ what: String) -> RequestError {
        errno == ENOSPC || errno == EDQUOT ? .outOfSpace : .internalError("\(what): \(DataDirectory.reason())")
    }
}
