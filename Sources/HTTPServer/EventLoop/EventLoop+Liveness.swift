internal import Glibc

/// Detection of dead stream clients. A stream may be quiet for long, and a client whose machine or network fails sends
/// nothing. Only missing acknowledgements reveal it.
extension EventLoop {
    /// Makes the system probe a quiet client and close the connection if the client does not acknowledge.
    func enableKeepAlive(_ connection: ConnectionPointer) {
        guard !connection.pointee.transport.isUnix else { return }
        set(connection, SOL_SOCKET, SO_KEEPALIVE, 1)
        set(connection, Int32(IPPROTO_TCP), TCP_KEEPIDLE, limits.streamProbeSeconds)
        set(connection, Int32(IPPROTO_TCP), TCP_KEEPINTVL, limits.streamProbeSeconds)
        set(connection, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, limits.streamUnheardSecondsMax * 1000)
    }

    /// Sets an option of a connection's socket.
    func set(_ connection: ConnectionPointer, _ level: Int32, _ name: Int32, _ value: Int) {
        var number = Int32(clamping: value)
        // If the system lacks an option, heartbeats detect dead clients, and sockets buffer more than necessary.
        setsockopt(
            connection.pointee.descriptor, level, name, &number, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Returns the milliseconds since the client of a stream last sent anything, if only an acknowledgement, or `nil`
    /// if the stream has ended. Unix sockets, which cannot lose their peer silently, return 0.
    package func millisecondsSinceLastAck(_ id: ConnectionID) -> Int64? {
        assertConfined()
        guard let connection = connection(id), connection.pointee.phase == .stream else { return nil }
        guard !connection.pointee.transport.isUnix else { return 0 }
        var info = tcp_info()
        var size = socklen_t(MemoryLayout<tcp_info>.size)
        guard getsockopt(connection.pointee.descriptor, Int32(IPPROTO_TCP), TCP_INFO, &info, &size) == 0 else {
            return 0
        }
        return Int64(min(info.tcpi_last_ack_recv, info.tcpi_last_data_recv))
    }
}
