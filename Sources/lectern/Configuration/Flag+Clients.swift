/// The flags by which a command finds the service.
extension Flag {
    static let data = Flag(name: "data", value: "DIR", about: "the data directory", defaultValue: "./lectern-data")
    static let server = Flag(
        name: "server", value: "URL", about: "a server's URL, instead of a data directory", defaultValue: nil)
    static let token = Flag(name: "token", value: "T", about: "the token for --server", defaultValue: nil)

    static let ofClients = [data, server, token]
}
