import Glibc

/// SIGTERM and SIGINT, waited for instead of dying of them. Make it before any thread: threads inherit what is blocked.
struct StopSignals {
    private var set = sigset_t()

    init() {
        sigemptyset(&set)
        sigaddset(&set, SIGTERM)
        sigaddset(&set, SIGINT)
        pthread_sigmask(SIG_BLOCK, &set, nil)
        signal(SIGPIPE, SIG_IGN)
    }

    /// Waits for one of them.
    func wait() {
        var set = set
        var received: Int32 = 0
        sigwait(&set, &received)
    }

    /// From now on one of them ends the process at once.
    func exitAtNext() {
        var set = set
        signal(SIGTERM, SIG_DFL)
        signal(SIGINT, SIG_DFL)
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
    }
}
