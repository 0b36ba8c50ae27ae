import HTTPServer
import Model
import ObservableModels
import Store

/// The routes of standings: the members' progress in a club's runs.
extension Route {
    /// The page size for a list of standings. The default page contains all standings of most clubs.
    private static let size = PageRequest.Size(standard: 200, max: 1000)

    static let standings: [Route] = [
        Route(.get, "/v1/clubs/{id}/standings", "listStandings", parameters: paged("book", "run")) {
            call throws(RequestError) in
            let (club, book, reader) = (try call.club(.see), try call.query.id("book"), call.viewer.readerKey)
            let run = try call.run(of: club, orOf: book)
            let filter =
                run == nil && book == nil
                ? ListFilter.having("isCurrent", true) : .having("run", run).having("book", book)
            let watch = try call.watch(standingsIn: club, filter, of: run)
            return try call.list(in: club.scope, watch: watch, size: size) { reads, paging throws(RequestError) in
                guard let (club, member) = try reads.club(club.id, of: reader) else { throw .notFound }
                return try reads.standings(
                    ofClub: club.key, for: member, where: filter, after: paging.cursor, limit: paging.limit)
            }
        },
        Route(.get, "/v1/clubs/{id}/standings/{standingId}", "getStanding", watching: .whole) {
            call throws(RequestError) in
            let (club, id, reader) = (try call.club(.see), try call.id(1), call.viewer.readerKey)
            guard let (_, own) = try call.reads.club(club.id, of: reader) else { throw .notFound }
            let parts: [WatchTopic] = [
                .resource(.standing, id), .resource(.moderatorStanding, id), .resource(.member, own.id),
            ]
            return try call.one(id, watch: .view(of: parts, club: club.key, whole: .resource(.standing, id))) {
                reads throws(RequestError) in
                guard let (club, member) = try reads.club(club.id, of: reader) else { throw .notFound }
                return try reads.standing(id, ofClub: club.key, for: member)
            }
        },
        deleting("/v1/clubs/{id}/standings/{standingId}", "deleteStanding") { .deleteStanding($0[1], of: $0[0]) },
    ]

    static let standingCreation: [Route] = creating(
        .standing, "/v1/clubs/{id}/standings", "createStanding", "/v1/clubs/{id}/standings/{standingId}", "putStanding"
    ) { .createStanding($0[0], $1) }
}

extension RouteCall {
    /// Returns the watch of the standings in a club. Moderators receive the rows for moderators in place of those for
    /// plain members. A change of role causes a new snapshot.
    fileprivate func watch(standingsIn club: Club, _ filter: ListFilter, of run: ResourceID?) throws(RequestError)
        -> WatchPlan
    {
        let (key, whole) = (club.key, run.map { WatchTopic.resource(.run, $0) })
        let topics: SubscribedURL.InEachGroup = { club, _, moderates in
            guard club == key else { return [] }
            return [
                .list(.standing, .club(key: key)),
                moderates
                    ? .list(.moderatorStanding, .moderators(ofClub: key))
                    : .list(.standing, .plainMembers(ofClub: key)),
            ]
        }
        guard isOfFirst else {
            return WatchPlan(
                topics: [], kind: .standing, filter: filter, club: key, whole: whole, inEachClub: topics)
        }
        try demandAllFields("standings")
        return .view(of: [], inEachClub: topics, club: key, whole: whole)
    }
}
