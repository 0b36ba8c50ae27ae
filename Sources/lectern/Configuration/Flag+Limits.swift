/// The flags of threads, connections, streams and rates.
extension Flag {
    static let eventLoops = Flag(
        "event-loops", "N", default: "0", about: "The number of event loops; 0 is one per core")
    static let maxConnections = Flag(
        "max-connections", "N", default: "32768",
        about: "The maximum number of connections; fewer if file descriptors are limited")
    static let maxStreamsPerToken = Flag(
        "max-streams-per-token", "N", default: "0",
        about: "The maximum number of open streams and long polls of a token; 0 is half the connections")
    static let maxStreamsPerReader = Flag(
        "max-streams-per-reader", "N", default: "0",
        about: "The maximum number of open streams and long polls of a reader; 0 is half the connections")
    static let readTimeoutMs = Flag(
        "read-timeout-ms", "N", default: "250", about: "The timeout of a database read; 0 is no timeout")
    static let tokenRatePerSecond = Flag(
        "token-rate-per-second", "N:BURST", default: "1000:5000",
        about: "The maximum rate of a token's requests, and its burst; 0 is no limit")
    static let readerRatePerSecond = Flag(
        "reader-rate-per-second", "N:BURST", default: "2000:10000",
        about: "The maximum rate of a reader's requests with all tokens, and its burst; 0 is no limit")
    static let addressRatePerSecond = Flag(
        "address-rate-per-second", "N:BURST", default: "100:1000",
        about: "The maximum rate of an address's requests without a valid token, and its burst; 0 is no limit")
}

extension FlagGroup {
    static let limits = FlagGroup(
        "Limits",
        [
            .eventLoops, .maxConnections, .maxStreamsPerToken, .maxStreamsPerReader, .readTimeoutMs,
            .tokenRatePerSecond,
            .readerRatePerSecond, .addressRatePerSecond,
        ])
}
