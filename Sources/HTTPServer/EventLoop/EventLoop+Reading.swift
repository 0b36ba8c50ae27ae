internal import CLinux
internal import Glibc

/// Reading from sockets. Epoll is edge-triggered: `isReadable` remembers an edge until the socket is empty.
extension EventLoop {
    /// Handles epoll's events for a connection.
    func take(_ events: UInt32, _ connection: ConnectionPointer) {
        let userData = connection.pointee.userData
        if connection.pointee.hasUnsentOutput, events & EPOLLOUT.rawValue != 0 {
            sendKept(connection)
            if connection.pointee.userData != userData { return }
        }
        if events & (EPOLLIN.rawValue | EPOLLRDHUP.rawValue | EPOLLHUP.rawValue | EPOLLERR.rawValue) == 0 { return }
        connection.pointee.isReadable = true
        if events & EPOLLRDHUP.rawValue != 0 { connection.pointee.isPeerDone = true }
        let isBroken = events & (EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0
        switch connection.pointee.phase {
        case .idle, .head, .body:
            // The client cannot receive responses. A client of a Unix socket may close before they come.
            if isBroken, connection.pointee.hasUnsentOutput || !connection.pointee.transport.isUnix {
                close(connection)
            } else if connection.pointee.hasUnsentOutput {
                return
            } else if connection.pointee.hasBacklog {
                queue(connection)
            } else {
                read(connection)
            }
        case .stream:
            // A stream client's input is never read.
            if isBroken || connection.pointee.isStreamClientGone { close(connection) }
        case .deferred:
            if isBroken { return close(connection) }
            if connection.pointee.isPeerDone {
                let id = id(connection)
                work(for: connection) { $0.clientDone(id) }
            }
        case .closing:
            if isBroken { close(connection) }
        case .lingering: linger(connection)
        case .free, .handling: break
        }
    }

    /// Reads once and processes the bytes.
    func read(_ connection: ConnectionPointer) {
        let ownsInput = connection.pointee.input.count > 0
        var room = Self.readBufferBytes
        var buffer = readBuffer
        if ownsInput {
            room = nextReadBytes(connection)
            buffer = changeBuffers(of: connection) { $0.input.reserve(room) }
            if state.pointee.bufferedBytes > limits.bufferedBytesMax { return refuse(connection, .outOfBuffers) }
        }
        let count = recv(connection.pointee.descriptor, buffer, room, 0)
        if count > 0 {
            connection.pointee.isReadable = count == room
            if ownsInput {
                connection.pointee.input.count += count
                processOwn(connection)
            } else {
                processShared(connection, count)
            }
        } else if count == 0 {
            connection.pointee.isReadable = false
            connection.pointee.isPeerDone = true
            settle(connection)
        } else if errno == EAGAIN {
            connection.pointee.isReadable = false
        } else if errno != EINTR {
            close(connection)
        } else {
            queue(connection)
        }
    }

    /// Returns how many bytes to read into a connection's own buffer. The number does not exceed what the client has
    /// already sent, with a minimum. A client cannot make the server allocate memory for bytes that it never sends.
    private func nextReadBytes(_ connection: ConnectionPointer) -> Int {
        let have = connection.pointee.input.count
        guard let head = connection.pointee.head, head.pointee.phase == .body else { return 4096 }
        guard case .length(let length) = head.pointee.framing else { return max(16384, have) }
        let missing = head.pointee.end + length - have
        return max(min(missing, max(16384, have)), 512)
    }

    private func processShared(_ connection: ConnectionPointer, _ count: Int) {
        let userData = connection.pointee.userData
        let left = process(connection, readBuffer, count)
        guard connection.pointee.userData == userData else { return }
        if !left.isEmpty {
            changeBuffers(of: connection) { $0.input.append(readBuffer + left.lowerBound, left.count) }
            if state.pointee.bufferedBytes > limits.bufferedBytesMax { return refuse(connection, .outOfBuffers) }
        }
        settle(connection)
    }

    func processOwn(_ connection: ConnectionPointer) {
        guard let base = connection.pointee.input.base else { return }
        let userData = connection.pointee.userData
        let left = process(connection, base, connection.pointee.input.count)
        guard connection.pointee.userData == userData else { return }
        if left.isEmpty {
            changeBuffers(of: connection) { $0.input.release() }
        } else {
            connection.pointee.input.count = left.upperBound
            connection.pointee.input.removeFirst(left.lowerBound)
        }
        settle(connection)
    }

    /// Decides after processing how a connection continues.
    func settle(_ connection: ConnectionPointer) {
        guard connection.pointee.isReading, !connection.pointee.hasUnsentOutput else { return }
        if connection.pointee.hasBacklog { return queue(connection) }
        if connection.pointee.isPeerDone, !connection.pointee.isReadable { return close(connection) }
        if connection.pointee.isReadable { queue(connection) }
    }

    /// Changes a connection's buffers, and updates the sum of all buffers.
    @inline(__always)
    func changeBuffers<Result>(
        of connection: ConnectionPointer, _ change: (inout HTTPConnection) -> Result
    ) -> Result {
        let before = connection.pointee.bufferedBytes
        defer { state.pointee.bufferedBytes += connection.pointee.bufferedBytes - before }
        return change(&connection.pointee)
    }

    /// Discards the bytes that a client sent after its last request.
    func dropInput(_ connection: ConnectionPointer) {
        if connection.pointee.input.count > 0 { connection.pointee.lingers = true }
        changeBuffers(of: connection) { $0.input.release() }
    }
}
