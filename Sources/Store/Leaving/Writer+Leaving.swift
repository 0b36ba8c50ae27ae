import Model
import Synchronization

extension Writer {
    /// Tells others of who has left; false when it cannot be told now.
    func tellDeparture() -> Bool {
        let isTold = Mutex(false)
        write([
            Submission(command: .tellDeparture, asker: .house(at: .now)) { result in
                if case .success = result { isTold.withLock { $0 = true } }
            }
        ])
        return isTold.withLock { $0 }
    }

    /// Whether who asks has left meanwhile.
    func hasLeft(_ asker: Asker) throws(SQLiteError) -> Bool {
        try application.departed.holds(asker.reader.key, in: connection)
    }

    static let unknownToken = LecternError.refused(.tokenUnknown, "The token is not known, or was revoked.")
}
