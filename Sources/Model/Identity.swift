/// What every resource has, whatever it is about.
public struct Identity: Sendable {
    /// The key of its row; 0 before it is stored, and never sent.
    public var key: Int64
    public let id: ResourceID
    /// The `seq` of the change that made it what it is.
    public var version: Int64
    /// Nil for what does not say so.
    public var createdAt: Instant?
    /// Set to the commit's time by each change that changes something; nil for what does not say so.
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

    /// Of what was made just now, and can change.
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
