internal import Glibc

/// Why a server could not listen or start.
package enum HTTPServerError: Error, Equatable, CustomStringConvertible {
    /// Somebody listens there already.
    case addressInUse(String)
    /// The host or path means nothing here.
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
