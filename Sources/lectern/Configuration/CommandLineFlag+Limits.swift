import HTTPServer
import Store

/// The flags of threads, connections, streams and rates.
extension CommandLineFlag {
    static let eventLoops = CommandLineFlag(
        "event-loops", "N", default: "0", about: "The number of event loops; 0 is one per core")
    static let maxConnections = CommandLineFlag(
        "max-connections", "N", default: "\(HTTPLimits().connectionsMax)",
        about: "The maximum number of connections; fewer if file descriptors are limited")
    static let maxStreamsPerToken = CommandLineFlag(
        "max-streams-per-token", "N", default: "0",
        about: "The maximum number of open streams and long polls of a token; 0 is half the connections")
    static let maxStreamsPerReader = CommandLineFlag(
        "max-streams-per-reader", "N", default: "0",
        about: "The maximum number of open streams and long polls of a reader; 0 is half the connections")
    static let readTimeoutMs = CommandLineFlag(
        "read-timeout-ms", "N", default: "\(StoreConfiguration().readMillisecondsMax)",
        about: "The timeout of a database read; 0 is no timeout")
    static let tokenRatePerSecond = CommandLineFlag(
        "token-rate-per-second", "N:BURST", default: "1000:5000", isReloadable: true,
        about: "The maximum rate of a token's requests, and its burst; 0 is no limit")
    static let readerRatePerSecond = CommandLineFlag(
        "reader-rate-per-second", "N:BURST", default: "2000:10000", isReloadable: true,
        about: "The maximum rate of a reader's requests with all tokens, and its burst; 0 is no limit")
    static let addressRatePerSecond = CommandLineFlag(
        "address-rate-per-second", "N:BURST", default: "100:1000", isReloadable: true,
        about: "The maximum rate of an address's requests without a valid token, and its burst; 0 is no limit")
}

extension CommandLineFlagGroup {
    static let limits = CommandLineFlagGroup(
        "Limits",
        [
            .eventLoops, .maxConnections, .maxStreamsPerToken, .maxStreamsPerReader, .readTimeoutMs,
            .tokenRatePerSecond, .readerRatePerSecond, .addressRatePerSecond,
        ])
}
