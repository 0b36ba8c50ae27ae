import Model

extension ObservableModels {
    /// Updates subscriptions when a reader joins or leaves a group or gets another role, before the change itself is
    /// delivered. URLs that listen in each of the reader's groups get other topics. URLs that show the group end for
    /// a member who leaves. A stream that began after the change is not ended, because it was authorized then.
    func follow(_ change: Change) {
        guard let membership = change.membership else { return }
        let published = PublishedChange(change, epoch: epoch)
        for subscription in everyone.values
        where membership.reader == nil || membership.reader == subscription.viewer.reader {
            for index in subscription.urls.indices {
                let isOfGroup = subscription.urls[index].group == membership.group
                if let inEachGroup = subscription.urls[index].inEachGroup {
                    let filter = subscription.urls[index].filter
                    func topics(_ moderates: Bool) -> [WatchTopic] {
                        inEachGroup(membership.group, subscription.viewer, moderates).map { $0.filtered(by: filter) }
                    }
                    let former = subscription.topics(ofURLAt: index)
                    let all = topics(true) + topics(false)
                    let others = former.filter { !all.contains($0) }
                    listen(
                        subscription, urlAt: index,
                        to: membership.isEnd ? others : others + topics(membership.moderates))
                    // The content of the URL depends on the role.
                    if !membership.isEnd, isOfGroup, subscription.topics(ofURLAt: index) != former {
                        subscription.invalidate(urlAt: index, from: change.seq, &touched)
                    }
                }
                guard membership.isEnd, isOfGroup else { continue }
                // The log has no changes of visibility for a reader outside the group, so the rows of their own windows
                // become stale. They are read again if the reader returns. What the transaction moved in is not sent.
                for registration in subscription.registrations
                where registration.urlIndex == Int32(index) && registration.model.shown?.shape.reader != nil {
                    registration.model.breakUp(at: change.transaction, &touched)
                }
                if change.seq > subscription.state.cursor, change.seq > subscription.urls[index].since {
                    subscription.endURL(at: index, by: published, &touched)
                }
            }
        }
    }
}
