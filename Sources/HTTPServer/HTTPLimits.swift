/// The limits of the server; each name includes the unit. The defaults suit one machine behind a proxy.
package struct HTTPLimits: Sendable {
    /// The maximum bytes of a request line, without its line end; more is 414.
    package var requestLineBytesMax = 8192
    /// The maximum bytes of all fields of a request (and of the trailers of a chunked body); more is 431.
    package var headBytesMax = 16384
    /// The maximum number of fields of a request; more is 431.
    package var headFieldsMax = 100
    /// The maximum bytes of a request body, decoded; more is 413.
    package var bodyBytesMax = 1_048_576
    /// The maximum bytes of the extensions of one chunk; more is 400.
    package var chunkExtensionBytesMax = 256
    /// The maximum seconds from a request's first byte to the end of its head; more is 408.
    package var headSecondsMax = 10
    /// The seconds in which a body may arrive at any rate.
    package var bodyGraceSeconds = 10
    /// The average bytes per second that a body must reach after the grace; fewer is 408.
    package var bodyBytesPerSecondMin = 256
    /// The seconds without progress after which a client that does not read is closed.
    package var writeStallSecondsMax = 10
    /// The seconds that a connection may wait for its next request.
    package var idleSecondsMax = 60
    /// The seconds without a frame after which `streamIdle` is called.
    package var streamIdleSeconds = 15
    /// The seconds after which the client of a quiet stream is probed (TCP keep-alive).
    package var streamProbeSeconds = 20
    /// The seconds for which sent bytes of a stream may stay without an acknowledgement (`TCP_USER_TIMEOUT`). Then the
    /// connection is closed.
    package var streamUnheardSecondsMax = 30
    /// The seconds that a refused client gets to read the response before its connection is reset.
    package var lingerSecondsMax = 2
    /// The maximum number of connections of the server, lowered to what the descriptor limit allows. At the maximum,
    /// quiet connections and incomplete requests are closed for new connections. Connections beyond that get 503.
    package var connectionsMax = 32768
    /// The number of connections beyond `connectionsMax` for `reservedPath`, and as many more for Unix sockets.
    package var reservedConnectionsMax = 16
    /// A path that is served over TCP however many connections there are, such as the path of a probe.
    package var reservedPath: StaticString?
    /// The seconds that a connection may be quiet, or a request incomplete, at the maximum of connections. When the
    /// reserve is full, too, this limit is zero.
    package var crowdedSecondsMax = 1
    /// The maximum number of one connection's requests in a turn. Further requests are served after the other
    /// connections' turns.
    package var turnRequestsMax = 16
    /// The microseconds after which a turn ends although requests wait, for one connection and for one subject's share
    /// of a round.
    package var turnMicrosecondsMax = 2000
    /// The maximum bytes that one event loop keeps for its connections (incomplete requests and unsent responses); more
    /// is 503.
    package var bufferedBytesMax = 268_435_456
    /// The maximum unsent bytes of one stream before it is closed.
    package var streamKeptBytesMax = 8_388_608

    /// The bytes that the system accepts for a stream beyond the bytes in flight (`TCP_NOTSENT_LOWAT`). The number is
    /// small, because a client that falls behind is better served with current data. The bytes in flight are not
    /// limited: with fewer than two segments a client would acknowledge each only after 40 ms.
    package var streamUnsentBytesMax = 16_384

    package init() {}
}
