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

/// Returns the administrator's first token from a file, or `nil` if no file is named.
private func firstToken(_ arguments: CommandLineArguments) throws -> String? {
    guard let path = arguments[.adminTokenFile] else { return nil }
    guard let bytes = FileManager.default.contents(atPath: path) else {
        throw CommandError.failed("\(path), the file with the first token, cannot be read.")
    }
    let words = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace)
    let token = String(words.first ?? "")
    guard words.count == 1, Service.mayBeToken(token) else {
        throw CommandError.failed("\(path) must contain only one token, of \(Service.tokenRule).")
    }
    return token
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
