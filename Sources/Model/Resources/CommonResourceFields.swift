/// A reference to a row of a resource: the id, which is sent, and the key, which is stored.
public typealias RowReference = (id: ResourceID, key: Int64)

/// The properties that every resource has.
public struct CommonResourceFields: Sendable {
    /// The key of the row; 0 before it is stored. Never sent.
    public var key: Int64
    public let id: ResourceID
    /// The `seq` of the last change.
    public var version: Int64
    /// The time of creation, or `nil` for kinds without one.
    public var createdAt: Instant?
    /// The time of the last commit that changed a field, or `nil` for kinds without one.
    public var updatedAt: Instant?

    public init(
        key: Int64 = 0, id: ResourceID, version: Int64 = 0, createdAt: Instant? = nil, updatedAt: Instant? = nil
    ) {
        self.key = key
        self.id = id
        self.version = version
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }

    /// Creates the identity of a new resource that can change.
    public init(_ id: ResourceID, madeAt now: Instant) { self.init(id: id, createdAt: now, updatedAt: now) }
}

extension Resource {
    @inlinable public var id: ResourceID { identity.id }
    @inlinable public var createdAt: Instant? {
        get { identity.createdAt }
        set { identity.createdAt = newValue }
    }
    @inlinable public var key: Int64 {
        get { identity.key }
        set { identity.key = newValue }
    }
    @inlinable public var version: Int64 {
        get { identity.version }
        set { identity.version = newValue }
    }
    @inlinable public var updatedAt: Instant? {
        get { identity.updatedAt }
        set { identity.updatedAt = newValue }
    }
}
