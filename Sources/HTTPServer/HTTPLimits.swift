/// Every limit of the server, with its unit in its name. The defaults suit one machine behind a proxy.
package struct HTTPLimits: Sendable {
    /// Bytes of a request line, without its line end; more is 414.
    package var requestLineBytesMax = 8192
    /// Bytes of all fields of a request (and of the trailers of a chunked body); more is 431.
    package var headBytesMax = 16384
    /// Fields of a request; more is 431.
    package var headFieldsMax = 100
    /// Bytes of a request body, decoded; more is 413.
    package var bodyBytesMax = 1_048_576
    /// Bytes of the extensions of one chunk; more is 400.
    package var chunkExtensionBytesMax = 256
    /// Seconds from a request's first byte to the end of its head; more is 408.
    package var headSecondsMax = 10
    /// Seconds in which a body may be as slow as it likes.
    package var bodyGraceSeconds = 10
    /// Bytes a second that a body has to bring on average after the grace; fewer is 408.
    package var bodyBytesPerSecondMin = 256
    /// Seconds without progress after which a client that does not read is closed.
    package var writeStallSecondsMax = 10
    /// Seconds that a connection may wait for its next request.
    package var idleSecondsMax = 60
    /// Seconds without a frame after which `streamIdle` is called.
    package var streamIdleSeconds = 15
    /// Seconds after which the client of a quiet stream is asked whether it is there (TCP's keep-alive).
    package var streamProbeSeconds = 20
    /// Seconds for which the client of a stream may leave what it is sent without an acknowledgement (`TCP_USER_TIMEOUT`); then the
    /// connection is cut, and closed.
    package var streamUnheardSecondsMax = 30
    /// Seconds that a refused client gets to read the answer before its connection is reset.
    package var lingerSecondsMax = 2
    /// Connections of the whole server. Lowered to what the descriptor limit allows. When they are all taken, the idle and the
    /// unfinished ones give way to new ones, and what still is too many is answered 503.
    package var connectionsMax = 32768
    /// Connections beyond `connectionsMax` for `reservedPath`, and as many more for Unix sockets.
    package var reservedConnectionsMax = 16
    /// What is answered over TCP however many connections there are, such as the path of a probe.
    package var reservedPath: StaticString?
    /// Seconds that a connection may be idle, or a request be without its end, when all connections are taken; no time at all
    /// when the reserve is taken, too.
    package var crowdedSecondsMax = 1
    /// Requests that one connection has answered in a turn; what waits behind them is served after the others had theirs.
    package var turnRequestsMax = 16
    /// Microseconds after which a turn ends although requests wait: of one connection, and of all that wait for another one.
    package var turnMicrosecondsMax = 2000
    /// Bytes that one event loop keeps for its connections (incomplete requests and unsent answers); more is 503.
    package var bufferedBytesMax = 268_435_456
    /// Bytes that one stream may have unsent before it is closed.
    package var streamKeptBytesMax = 8_388_608

    /// Bytes that the system takes for a stream beyond what is on its way to the client (`TCP_NOTSENT_LOWAT`). Few, because who
    /// falls behind is better served anew than from long ago. What is on its way is not bounded: with less of it than two
    /// segments a client would acknowledge each only after 40 ms.
    package var streamUnsentBytesMax = 16_384

    package init() {}

    /// The connections that so many descriptors allow: besides them every loop has its own, and an application its files.
    func connectionsMax(of descriptors: Int, loops: Int) -> Int {
        let others = 64 + 8 * loops + 2 * reservedConnectionsMax
        return min(connectionsMax, max(16, descriptors - others))
    }
}
