import HTTPServer
import Model
import ObservableModels
import Store

/// The routes of reports to moderators and administrators.
extension Route {
    static let reports: [Route] = [
        Route(.get, "/v1/reports", "listReports", parameters: paged("state", "own"), watching: .whole) {
            call throws(RequestError) in
            let (viewer, own) = (call.viewer, try call.query.bool("own"))
            let state: ReportStateFilter? = try call.query.choice("state")
            return try call.list(in: viewer.scope, watch: watch(for: viewer)) { reads, paging throws(RequestError) in
                try reads.demandRole(of: viewer)
                return try reads.reports(
                    for: viewer, areOpen: state.map { $0 == .open }, areOwn: own, after: paging.cursor,
                    limit: paging.limit)
            }
        },
        Route(.get, "/v1/reports/{id}", "getReport", watching: .whole) { call throws(RequestError) in
            let (id, viewer) = (try call.id(0), call.viewer)
            return try call.one(id, watch: watch(for: viewer)) { reads throws(RequestError) in
                try reads.demandRole(of: viewer)
                return try reads.report(id, for: viewer)
            }
        },
        writing(.post, "/v1/reports", "createReport") { .createReport($1) },
        writing(.patch, "/v1/reports/{id}", "updateReport") { .updateReport($0[0], $1) },
    ]

    private enum ReportStateFilter: String, CaseIterable { case open, closed }

    /// Returns the watch of reports. The log has a report for the reader who made it. Moderators and administrators
    /// watch views: the text depends on the viewer's progress, and the set of reports on the viewer's role in clubs.
    private static func watch(for viewer: Viewer) -> WatchPlan {
        let parts: [WatchTopic] = [
            .every(.report), .resource(.reader, viewer.reader), .list(.membership, viewer.scope),
            .list(.entry, viewer.scope), .list(.reading, viewer.scope), .list(.knowledge, viewer.scope),
        ]
        return .view(
            of: parts,
            inEachClub: { club, _, _ in
                let scope = ChangeScope.club(key: club)
                return [.list(.member, scope), .list(.club, scope)]
            }, isFullyLogged: false)
    }
}
