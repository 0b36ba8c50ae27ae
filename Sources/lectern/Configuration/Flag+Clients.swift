/// The flags by which a command finds the server or the data.
extension Flag {
    static let data = Flag("data", "DIR", default: "./lectern-data", about: "The data directory")
    static let server = Flag("server", "URL", about: "A server's URL, instead of a data directory")
    static let token = Flag("token", "TOKEN", about: "The token for --server")
}

extension FlagGroup {
    static let client = FlagGroup("Server or data directory", [.data, .server, .token])
    static let directory = FlagGroup("Data directory", [.data])
}
