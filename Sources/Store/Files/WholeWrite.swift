import Glibc

/// Bytes that are written all, however many the system takes at once.
package enum WholeWrite {
    /// Writes them to a descriptor; false where that cannot be done, and `errno` says why.
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
