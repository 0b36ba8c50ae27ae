import Glibc

/// The terminal that a process was started from.
struct Terminal {
    private let wasThere = Terminal.isThere

    /// Whether it was there and is gone: then a SIGHUP said that.
    var isGone: Bool {
        guard wasThere else { return false }
        // The signal may come a moment before.
        for _ in 0..<20 {
            if !Self.isThere { return true }
            usleep(10_000)
        }
        return false
    }

    private static var isThere: Bool {
        let descriptor = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC)
        if descriptor >= 0 { close(descriptor) }
        return descriptor >= 0
    }
}
