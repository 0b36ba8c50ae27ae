import JSON
import Model

extension ObservableModels {
    /// Updates subscriptions when a reader joins or leaves a club or gets another role, before the change itself is
    /// delivered. Parts that listen in each of the reader's clubs get other topics. Parts that show the club end for a
    /// member who leaves. A stream that began after the change is not ended, because it was authorized then.
    func follow(_ change: Change) {
        guard let club = change.scope.club,
            change.kind == .member || change.kind == .club && change.operation == .deleted
        else { return }
        let (reader, moderates) = change.kind == .member ? Self.member(change) : (nil, false)
        let published = PublishedChange(change, epoch: epoch)
        for (subscription, _) in everyone.members {
            let viewer = subscription.viewer
            guard reader == nil || reader == viewer.reader else { continue }
            for part in subscription.parts.indices {
                let isGone = change.operation == .deleted
                if let inEachClub = subscription.parts[part].inEachClub {
                    let filter = subscription.parts[part].filter
                    func topics(_ moderates: Bool) -> [WatchTopic] {
                        inEachClub(club, viewer, moderates).map { $0.filtered(by: filter) }
                    }
                    let former = subscription.topics(ofPart: part)
                    let all = topics(true) + topics(false)
                    let others = former.filter { !all.contains($0) }
                    listen(subscription, part: part, to: isGone ? others : others + topics(moderates))
                    // The content of the part depends on the role.
                    if !isGone, subscription.parts[part].club == club,
                        subscription.topics(ofPart: part) != former
                    {
                        subscription.invalidate(part: part, from: change.seq, &touched)
                    }
                }
                if subscription.parts[part].club == club, isGone,
                    change.seq > subscription.state.cursor, change.seq > subscription.parts[part].since
                {
                    subscription.endPart(part: part, by: published, &touched)
                }
            }
        }
    }

    /// Returns the reader in a change of a member, and whether they moderate.
    private static func member(_ change: Change) -> (reader: ResourceID?, moderates: Bool) {
        let member = (change.value ?? change.before).flatMap { ResourceRepresentation($0) }
        let role = member?["role"]?.string.flatMap { ClubMemberRole(rawValue: $0) } ?? .member
        return (member?["reader"]?.string.flatMap { ResourceID($0) }, ClubRights.allow(.invite, role))
    }
}
