import Model

/// The options of a watched URL besides its filter. They are a separate object because most open streams watch a resource
/// without any.
final class WatchOptions: Sendable {
    /// The fields whose updates the subscriber wants, or `nil` for all.
    let fields: FieldSet?
    /// The key of the group that the viewer must be a member of, or `nil` for none.
    let group: Int64?
    /// The resource that contains the URL's resources, and whose deletion ends the URL.
    let whole: WatchTopic?
    /// The topics for each group of the viewer, or `nil` for none. See `InEachGroup`.
    let inEachGroup: SubscribedURL.InEachGroup?
    /// The topics that only affect the count beside the list.
    let counted: [WatchTopic]

    init(
        _ fields: FieldSet?, _ group: Int64?, _ whole: WatchTopic?, _ inEachGroup: SubscribedURL.InEachGroup?,
        _ counted: [WatchTopic]
    ) {
        (self.fields, self.group, self.whole) = (fields, group, whole)
        (self.inEachGroup, self.counted) = (inEachGroup, counted)
    }
}
