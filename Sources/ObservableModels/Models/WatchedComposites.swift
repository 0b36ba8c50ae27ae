package import Model

/// The composed resources whose changes some subscription watches. See `ResourceKind.composition`.
package struct WatchedComposites: Sendable {
    let topics: Set<WatchTopic>
    /// The only reader whose resources are watched; `nil` for any reader's.
    package let reader: Int64?

    package func contains(_ kind: ResourceKind, _ id: ResourceID, _ scope: ChangeScope) -> Bool {
        topics.contains(.list(kind, scope)) || topics.contains(.resource(kind, id))
    }
}
