/// A value as SQLite stores it.
public enum DatabaseValue: Hashable, Sendable {
    case null
    case integer(Int64)
    case text(String)
    case id(ResourceID)
    case digest(SHA256Digest)
    case bytes([UInt8])
}
