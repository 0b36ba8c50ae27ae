import Glibc

/// Complete writes to a file descriptor.
package enum CompleteFileWrite {
    /// Writes all bytes. On failure returns `false`, and `errno` has the reason.
    package static func of(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
