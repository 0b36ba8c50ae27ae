/// The flags by which a command finds the server or the data.
extension CommandLineFlag {
    static let data = CommandLineFlag("data", "DIR", default: "./lectern-data", about: "The data directory")
    static let server = CommandLineFlag("server", "URL", about: "A server's URL, instead of a data directory")
    static let token = CommandLineFlag("token", "TOKEN", about: "The token for --server")
}

extension CommandLineFlagGroup {
    static let client = CommandLineFlagGroup("Server or data directory", [.data, .server, .token])
    static let directory = CommandLineFlagGroup("Data directory", [.data])
}
