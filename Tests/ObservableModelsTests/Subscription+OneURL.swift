import Model

@testable import ObservableModels

extension Subscription {
    /// Creates a subscription to one URL.
    convenience init(
        owner: UInt64, viewer: Viewer, form: SubscribedEventForm = .events, topics: [WatchTopic],
        inEachGroup: SubscribedURL.InEachGroup? = nil, group: Int64? = nil, whole: WatchTopic? = nil, fields: FieldSet?,
        filter: ListFilter?, cursor: Int64, resourcesSent: Int = 0
    ) {
        let url = SubscribedURL(
            form: form, topics: topics, inEachGroup: inEachGroup, group: group, whole: whole, fields: fields,
            filter: filter, since: cursor)
        self.init(owner: owner, viewer: viewer, [url], cursor: cursor, resourcesSent: resourcesSent)
    }
}
