import Model
import ObservableModels
import Store

extension RouteCall {
    /// Returns a list that only members whose role allows an action may see. The club is the given one, or else the one
    /// in the path. Watching ends when the role no longer allows the action.
    func list<Value: Resource>(
        _ list: SortedTableList<Value>, in club: ResourceID? = nil, whoMay action: ClubAction,
        where filter: ListFilter = .all
    ) throws(RequestError) -> RouteReply {
        let viewer = viewer
        let id = if let club { club } else { try self.id(0) }
        guard let (club, member) = try reads.club(id, of: viewer.readerKey) else { throw .notFound }
        try ClubRights.demand(action, of: member.role)
        let parts: [WatchTopic] = [.list(Value.kind, .moderators(ofClub: club.key)), .resource(.member, member.id)]
        return try self.list(in: club.scope, watch: .view(of: parts, club: club.key)) {
            reads, paging throws(RequestError) in
            let club = try reads.club(id, for: viewer, to: action)
            return try list.page(reads, of: club.key, where: filter, after: paging.cursor, limit: paging.limit)
        }
    }
}
