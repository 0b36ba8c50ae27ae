import API
import FoundationEssentials
import Glibc
import HTTPServer
import Store

/// `lectern serve`: serves until SIGTERM or SIGINT, or until its terminal closes; then it finishes requests in
/// progress. A second signal ends it at once. SIGHUP makes it read the settings again.
func serve(_ arguments: CommandLineArguments) throws {
    var configuration = try configuration(by: arguments)
    let (host, port) = try arguments.address(.listen)
    let demo = try arguments.isOn(.demo) ? try Demo(arguments) : nil
    defer { demo?.remove() }
    if let demo {
        configuration.directory = demo.directory
        try configuration.accounts.admitPublishedPort(host, port)
    }
    let directory = configuration.directory
    // The token file is checked before anything is created: a server to which nobody has access is of no use.
    let isThere = FileManager.default.fileExists(atPath: directory + "/lectern.sqlite")
    let early = isThere ? nil : try firstToken(arguments)
    let (signals, terminal) = (TerminationSignals(), Terminal())
    let service = try Service(configuration)
    let token = try isThere && service.isUntouched ? firstToken(arguments) : early
    let bound = try service.listen(tcp: host, port: port)
    try listen(service, directory + "/lectern.sock")
    // This comes before the service answers: a client that has the token may use it with its first request.
    if demo == nil, service.isUntouched { try welcome(service, configuration.accounts, token) }
    try service.start()
    logAddresses(service, arguments, directory, host, bound)
    if let demo { try welcome(to: demo) }
    var signal = signals.wait(meanwhile: demo)
    while signal == "SIGHUP", !terminal.isGone {
        reload(service, arguments)
        signal = signals.wait(meanwhile: demo)
    }
    service.log.info("stopping on \(signal)")
    service.drain(deadlineSeconds: drainSecondsMax)
    signals.ignoreRepetition()
    signals.exitAtNext()
    service.wait()
}

/// Logs the data directory and the addresses that are served.
private func logAddresses(
    _ service: Service, _ arguments: CommandLineArguments, _ directory: String, _ host: String, _ port: UInt16
) {
    if let host = service.metricsHost, let port = service.metricsPort {
        service.log.info("metrics without a token at \(url(host, port))/metrics")
    }
    if service.isNew { service.log.info("\(directory) is a new data directory") }
    let reach = host == "0.0.0.0" || host == "::" ? ", on every address of this machine" : ""
    service.log.info("serving \(directory) at \(url(host, port))\(reach)")
    if let warning = service.browserSignIn.warning { service.log.warning(warning.replacing("\n", with: " ")) }
    let unknown = arguments.unknownVariables
    if !unknown.isEmpty {
        service.log.warning("unknown variables in the environment: \(unknown.joined(separator: ", "))")
    }
}

private func url(_ host: String, _ port: UInt16) -> String {
    "http://\(host.contains(":") ? "[\(host)]" : host):\(port)"
}

/// Returns the service's configuration from the settings.
private func configuration(by arguments: CommandLineArguments) throws -> Service.Configuration {
    var configuration = Service.Configuration(directory: arguments.directory)
    configuration.loops = try arguments.number(.eventLoops, 0...256)
    configuration.store.retentionCountMax = try arguments.number(.retentionChanges)
    configuration.store.retentionDaysMax = try arguments.number(.retentionDays)
    configuration.store.readMillisecondsMax = try arguments.number(.readTimeoutMs)
    configuration.store.isCatalogueOpen = try arguments.bool(.openCatalogue)
    configuration.limits.connectionsMax = try arguments.number(.maxConnections, 1...1 << 20)
    configuration.openStreamsPerTokenMax = try arguments.number(.maxStreamsPerToken)
    configuration.openStreamsPerReaderMax = try arguments.number(.maxStreamsPerReader)
    configuration.forwarding = try arguments.forwarding()
    configuration.store.backups = try arguments.backups()
    configuration.accounts = try arguments.accounts()
    configuration.accounts.provider = try arguments.provider(publicURL: configuration.accounts.publicOrigin?.text)
    try arguments.setReloadable(in: &configuration)
    configuration.logFormat = try arguments.choice(.logFormat)
    configuration.metricsAddress = try arguments[.metricsListen] == nil ? nil : arguments.address(.metricsListen)
    configuration.coverMebibytesMax = try arguments.number(.coverCacheMiB, 0...1 << 20)
    configuration.coversFromLoopback = try arguments.bool(.coverAllowLoopback)
    configuration.readiness = try arguments.readiness()
    configuration.store.diskBytesFreeMin = Int64(configuration.readiness.diskBytesFreeMin)
    return configuration
}

/// The seconds for requests in progress. A supervisor typically kills a service after ten seconds, and closing the
/// store takes some of them.
private let drainSecondsMax = 5

/// Listens on the socket for commands on this machine. If the file system does not support sockets, the service runs
/// without it.
private func listen(_ service: Service, _ path: String) throws {
    do {
        try service.listen(unix: path)
    } catch {
        if case .addressInUse = error { throw error }
        service.log.error("\(path): \(error). Commands on this machine need --server and --token.")
    }
}

/// Creates and prints the first administrator's link and token, which are shown only this once.
private func welcome(_ service: Service, _ accounts: AccountSettings, _ chosen: String?) throws {
    let token = try service.issueAdministratorToken(name: "first start", text: chosen)
    guard chosen == nil else { return }
    let start = FirstStartText(accounts, url: service.url, service.browserSignIn)
    print(start.text(token: token, link: try service.issueAdministratorLink()))
    fflush(nil)
}

/// Fills the demo and prints its sign-in link.
private func welcome(to demo: Demo) throws {
    print(
        """
        This is a demo. Its data is removed when it stops (Ctrl-C).
        Open this link in a browser within ten minutes. It works once:

            \(try demo.begin())

        """)
    fflush(nil)
}

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
