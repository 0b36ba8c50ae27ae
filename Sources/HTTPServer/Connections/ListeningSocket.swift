internal import CLinux
internal import Glibc

struct ListeningSocket: Sendable {
    let descriptor: Int32
    let port: UInt16
    /// The socket file's path; empty for TCP.
    let path: String
    var isUnix: Bool { !path.isEmpty }

    private static var backlog: Int32 { 4096 }

    func close() {
        // A socket file that remains is replaced by the next server.
        Glibc.close(descriptor)
        if isUnix { unlink(path) }
    }

    /// Creates a TCP listener on a name or an address of this machine.
    static func tcp(_ host: String, _ port: UInt16) throws(HTTPServerError) -> ListeningSocket {
        let address = "\(host):\(port)"
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
        var found: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, String(port), &hints, &found)
        guard code == 0, let found else {
            throw .addressInvalid(address, reason: String(cString: gai_strerror(code)))
        }
        defer { freeaddrinfo(found) }
        let descriptor = socket(found.pointee.ai_family, streamType, 0)
        if descriptor < 0 { throw .system(call: "socket", code: errno) }
        var one: Int32 = 1
        let size = socklen_t(MemoryLayout<Int32>.size)
        // This lets a restarted server find its port free; it does not allow two servers on one port. If it fails,
        // `bind` reports that the address is in use.
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, size)
        // Accepted sockets inherit it. Without it responses are only later.
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, size)
        if bind(descriptor, found.pointee.ai_addr, found.pointee.ai_addrlen) != 0 {
            throw failure("bind", address, descriptor)
        }
        if listen(descriptor, backlog) != 0 { throw failure("listen", address, descriptor) }
        return ListeningSocket(descriptor: descriptor, port: boundPort(descriptor), path: "")
    }

    /// Creates a Unix listener that only this user may open. The mode is set before a client can connect.
    static func unix(_ path: String) throws(HTTPServerError) -> ListeningSocket {
        var address = try unixAddress(path)
        let descriptor = socket(AF_UNIX, streamType, 0)
        if descriptor < 0 { throw .system(call: "socket", code: errno) }
        // `chmod` below sets the mode again before listening, and must succeed. If a socket file remains, `bind` fails.
        fchmod(descriptor, 0o600)
        if isAbandoned(&address) { unlink(path) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        if withAddress(&address, { bind(descriptor, $0, size) }) != 0 { throw failure("bind", path, descriptor) }
        if chmod(path, 0o600) != 0 || listen(descriptor, backlog) != 0 { throw failure("listen", path, descriptor) }
        return ListeningSocket(descriptor: descriptor, port: 0, path: path)
    }

    private static var streamType: Int32 {
        Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    }

    private static func failure(_ call: String, _ address: String, _ descriptor: Int32) -> HTTPServerError {
        let code = errno
        // No client is connected to the socket.
        Glibc.close(descriptor)
        switch code {
        case EADDRINUSE: return .addressInUse(address)
        case EADDRNOTAVAIL, EACCES, ENOENT, ENOTDIR, EROFS:
            return .addressInvalid(address, reason: String(cString: strerror(code)))
        default: return .system(call: call, code: code)
        }
    }

    /// Returns whether a socket file has no server: it exists and refuses connections.
    private static func isAbandoned(_ address: inout sockaddr_un) -> Bool {
        let probe = socket(AF_UNIX, streamType, 0)
        if probe < 0 { return false }
        // Nothing was written to it.
        defer { Glibc.close(probe) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        return withAddress(&address) { connect(probe, $0, size) } != 0 && errno == ECONNREFUSED
    }

    private static func unixAddress(_ path: String) throws(HTTPServerError) -> sockaddr_un {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = [UInt8](path.utf8)
        let room = MemoryLayout.size(ofValue: address.sun_path)
        guard !bytes.isEmpty, bytes.count < room, !bytes.contains(0) else {
            throw .addressInvalid(path, reason: "a socket's path has 1 to \(room - 1) bytes")
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        return address
    }

    private static func withAddress(
        _ address: inout sockaddr_un, _ body: (UnsafePointer<sockaddr>) -> Int32
    ) -> Int32 {
        withUnsafePointer(to: &address) { $0.withMemoryRebound(to: sockaddr.self, capacity: 1, body) }
    }

    private static func boundPort(_ descriptor: Int32) -> UInt16 {
        var storage = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &storage) { storage in
            // It fails only for a descriptor that is not a socket; the port is then 0.
            storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = getsockname(descriptor, $0, &size) }
            // The port lies at the same place in IPv4 and IPv6 addresses.
            return storage.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                UInt16(bigEndian: $0.pointee.sin_port)
            }
        }
    }
}

/// The reason why a server could not listen or start.
package enum HTTPServerError: Error, Equatable, CustomStringConvertible {
    /// The address is in use by another listener.
    case addressInUse(String)
    /// The host or path is not a usable address.
    case addressInvalid(String, reason: String)
    /// A system call failed with this `errno`.
    case system(call: String, code: Int32)

    /// A sentence for the log.
    package var description: String {
        switch self {
        case .addressInUse(let address): "address in use: \(address)"
        case .addressInvalid(let address, let reason): "cannot listen on \(address): \(reason)"
        case .system(let call, let code): "\(call): \(String(cString: strerror(code)))"
        }
    }
}
