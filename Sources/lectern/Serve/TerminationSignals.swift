import Glibc

/// SIGTERM, SIGINT and SIGHUP, which the process waits for instead of being ended by them. Create it before any thread,
/// because threads inherit the blocked signals. Other signals that would end the process, such as SIGUSR1, are ignored.
struct TerminationSignals {
    private var set = sigset_t()

    init() {
        sigemptyset(&set)
        sigaddset(&set, SIGTERM)
        sigaddset(&set, SIGINT)
        // A process that was started to survive its terminal (`nohup`) keeps ignoring it.
        if !Self.isIgnored(SIGHUP) { sigaddset(&set, SIGHUP) }
        pthread_sigmask(SIG_BLOCK, &set, nil)
        for number in [SIGPIPE] + Self.meaningless { signal(number, SIG_IGN) }
    }

    private static let meaningless = [SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGIO, SIGPWR]

    /// Waits for a signal and returns its name.
    func wait() -> String {
        var set = set
        var received: Int32 = 0
        sigwait(&set, &received)
        return Self.name(received)
    }

    /// Waits for a signal while a demo runs, and returns its name.
    func wait(meanwhile demo: Demo?) -> String {
        guard let demo else { return wait() }
        while true {
            if let name = received(withinMilliseconds: Demo.pause * 1000) { return name }
            // A person at the page may have deleted the line's resource.
            do { try demo.sendNextLine() } catch { continue }
        }
    }

    /// The name of a pending signal, or `nil`; does not wait.
    var received: String? { received(withinMilliseconds: 0) }

    private func received(withinMilliseconds wait: Int) -> String? {
        var set = set
        var time = timespec(tv_sec: wait / 1000, tv_nsec: wait % 1000 * 1_000_000)
        let received = sigtimedwait(&set, nil, &time)
        return received > 0 ? Self.name(received) : nil
    }

    private static func name(_ number: Int32) -> String {
        [SIGTERM: "SIGTERM", SIGINT: "SIGINT", SIGHUP: "SIGHUP"][number] ?? "signal \(number)"
    }

    /// Ignores a signal that follows at once: `timeout` sends each signal to its command, and again to the group.
    func ignoreRepetition() { _ = received(withinMilliseconds: 20) }

    /// Makes SIGTERM and SIGINT end the process at once from now on. SIGHUP stays blocked: after a terminal has closed,
    /// no user waits for the end.
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
