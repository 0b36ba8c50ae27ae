import HTTPServer
import Model
import ObservableModels
import Store

/// What readers report to those who can do something about it.
extension Route {
    static let reports: [Route] = [
        Route(.get, "/v1/reports", "listReports", parameters: paged("state", "own"), watching: .whole) {
            call throws(LecternError) in
            let (viewer, own) = (call.viewer, try call.query.bool("own"))
            let state: State? = try call.query.choice("state")
            return try call.list(in: viewer.scope, watch: watch(for: viewer)) { reads, paging throws(LecternError) in
                try reads.demandRole(of: viewer)
                return try reads.reports(
                    for: viewer, areOpen: state.map { $0 == .open }, areOwn: own, after: paging.cursor,
                    limit: paging.limit)
            }
        },
        Route(.get, "/v1/reports/{id}", "getReport", watching: .whole) { call throws(LecternError) in
            let (id, viewer) = (try call.id(0), call.viewer)
            return call.one(id, watch: watch(for: viewer)) { reads throws(LecternError) in
                try reads.demandRole(of: viewer)
                return try reads.report(id, for: viewer)
            }
        },
        Route(.post, "/v1/reports", "createReport", inBatches: true) { call throws(LecternError) in
            .commit(.report(try ReportDraft(call.json())))
        },
        Route(.patch, "/v1/reports/{id}", "updateReport", inBatches: true) { call throws(LecternError) in
            .commit(.closeReport(try call.id(0), try ReportDecision(call.json(mergePatch: true))))
        },
    ]

    private enum State: String, CaseIterable { case open, closed }

    /// The log tells of a report who made it. Those who decide on it are told by views, which also show other words to who has
    /// read on, and other reports to who has come to moderate another club.
    private static func watch(for viewer: Viewer) -> Watch {
        let parts: [Topic] = [
            .every(.report), .resource(.reader, viewer.reader), .list(.membership, viewer.scope),
            .list(.entry, viewer.scope), .list(.reading, viewer.scope),
        ]
        return .view(
            of: parts,
            inEachClub: { club, _, _ in
                let scope = Scope.club(key: club)
                return [.list(.member, scope), .list(.club, scope)]
            }, isTold: false)
    }
}
