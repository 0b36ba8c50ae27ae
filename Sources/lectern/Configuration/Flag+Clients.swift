/// The flags by which a command finds the service.
extension Flag {
    static let data = Flag(name: "data", value: "DIR", about: "the data directory", fallback: "./lectern-data")
    static let server = Flag(
        name: "server", value: "URL", about: "a server's URL, instead of a data directory", fallback: nil)
    static let token = Flag(name: "token", value: "T", about: "the token for --server", fallback: nil)

    static let ofClients = [data, server, token]
}
