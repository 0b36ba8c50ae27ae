import Glibc

/// The terminal from which the process was started.
struct Terminal {
    private let wasThere = Terminal.isThere

    /// A Boolean value indicating whether the terminal existed and is closed. A SIGHUP then means that, not a reload.
    var isGone: Bool {
        guard wasThere else { return false }
        // The signal may arrive a moment before.
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
