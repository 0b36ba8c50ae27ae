import Glibc

/// SIGTERM, SIGINT and SIGHUP, waited for instead of dying of them. Make it before any thread: threads inherit what is blocked.
struct StopSignals {
    private var set = sigset_t()

    init() {
        sigemptyset(&set)
        sigaddset(&set, SIGTERM)
        sigaddset(&set, SIGINT)
        // Who was started to outlive a terminal (`nohup`) does.
        if !Self.isIgnored(SIGHUP) { sigaddset(&set, SIGHUP) }
        pthread_sigmask(SIG_BLOCK, &set, nil)
        signal(SIGPIPE, SIG_IGN)
    }

    /// Waits for one of them; its name.
    func wait() -> String {
        var set = set
        var received: Int32 = 0
        sigwait(&set, &received)
        return [SIGTERM: "SIGTERM", SIGINT: "SIGINT", SIGHUP: "SIGHUP"][received] ?? "signal \(received)"
    }

    /// From now on SIGTERM and SIGINT end the process at once. A terminal that is gone has nobody who is in a hurry.
    func exitAtNext() {
        var set = set
        sigdelset(&set, SIGHUP)
        signal(SIGTERM, SIG_DFL)
        signal(SIGINT, SIG_DFL)
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
    }

    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard sigaction(number, nil, &action) == 0 else { return false }
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
    }
}
