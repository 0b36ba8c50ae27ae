/// How what is watched is connected to the server.
public enum ConnectionState: Sendable {
    case connecting
    /// What is shown is what there is.
    case live
    /// What is shown is what was there last; the connection is tried again by itself.
    case offline(String)
    /// Nothing more comes.
    case ended(Reason)

    /// Why nothing more comes.
    public enum Reason: Sendable {
        /// The server has nothing more to say.
        case done
        /// The stream's right is over: its token was revoked, or has expired.
        case over(String)
        /// Another connection has the stream now.
        case taken
        /// It is not to be seen, or not there.
        case failed(LecternClientError)
    }
}
