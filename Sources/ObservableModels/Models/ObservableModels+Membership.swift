import Model

extension ObservableModels {
    /// Updates subscriptions when a reader joins or leaves a group or gets another role, before the change itself is
    /// delivered. Parts that listen in each of the reader's groups get other topics. Parts that show the group end for
    /// a member who leaves. A stream that began after the change is not ended, because it was authorized then.
    func follow(_ change: Change) {
        guard let membership = change.membership else { return }
        let published = PublishedChange(change, epoch: epoch)
        for subscription in everyone.values
        where membership.reader == nil || membership.reader == subscription.viewer.reader {
            for part in subscription.parts.indices {
                let isOfGroup = subscription.parts[part].group == membership.group
                if let inEachGroup = subscription.parts[part].inEachGroup {
                    let filter = subscription.parts[part].filter
                    func topics(_ moderates: Bool) -> [WatchTopic] {
                        inEachGroup(membership.group, subscription.viewer, moderates).map { $0.filtered(by: filter) }
                    }
                    let former = subscription.topics(ofPart: part)
                    let all = topics(true) + topics(false)
                    let others = former.filter { !all.contains($0) }
                    listen(
                        subscription, part: part,
                        to: membership.isEnd ? others : others + topics(membership.moderates))
                    // The content of the part depends on the role.
                    if !membership.isEnd, isOfGroup, subscription.topics(ofPart: part) != former {
                        subscription.invalidate(part: part, from: change.seq, &touched)
                    }
                }
                guard membership.isEnd, isOfGroup else { continue }
                // The log has no changes of visibility for a reader outside the group, so the rows of their own windows
                // become stale. They are read again if the reader returns. What the transaction moved in is not sent.
                for registration in subscription.registrations
                where registration.part == Int32(part) && registration.model.shown?.shape.reader != nil {
                    registration.model.breakUp(at: change.transaction, &touched)
                }
                if change.seq > subscription.state.cursor, change.seq > subscription.parts[part].since {
                    subscription.endPart(part: part, by: published, &touched)
                }
            }
        }
    }
}
