import HTTPServer
import Model
import ObservableModels
import Store

/// The routes of reading paces, compared with plans.
extension Route {
    static let paces: [Route] = [
        Route(.get, "/v1/readings/{id}/pace", "getPace", watching: .whole) { call throws(RequestError) in
            let (id, viewer, pipeline) = (try call.id(0), call.viewer, call.pipeline)
            guard let found = try call.reads.reading(id, of: viewer) else { throw .notFound }
            let own: [WatchTopic] = [
                .resource(.reading, id), .filtered(.entry, viewer.scope, .having("reading", id)),
                .resource(.settings, viewer.reader), .list(.membership, viewer.scope), .day,
                // Chapters define where pages are, and the edition that measures them may change with the reading.
                .resource(.chapters, found.book), .list(.edition, .everyone),
            ]
            let plans: SubscribedURL.InEachGroup = { club, _, _ in
                [ResourceKind.milestone, .meeting, .run, .club].map { .list($0, .club(key: club)) }
            }
            let watch = WatchPlan.view(of: own, inEachClub: plans, whole: .resource(.reading, id), isFullyLogged: false)
            return .list(watch) { () throws(RequestError) in
                guard let reading = try pipeline.reads.reading(id, of: viewer) else { throw .notFound }
                return EncodedListPage(body: try reading.pace(at: pipeline.clock(), pipeline.reads))
            }
        },
        Route(.get, "/v1/clubs/{id}/runs/{runId}/pace", "getRunPace", watching: .whole) {
            call throws(RequestError) in
            let (club, id, viewer, pipeline) = (try call.club(.see), try call.id(1), call.viewer, call.pipeline)
            guard try call.reads.run(id, ofClub: club.key) != nil else { throw .notFound }
            let kinds: [ResourceKind] = [.run, .standing, .milestone, .meeting]
            let parts =
                kinds.map { WatchTopic.list($0, club.scope) }
                + [.list(.standing, .plainMembers(ofClub: club.key)), .resource(.settings, viewer.reader), .day]
            let watch = WatchPlan.view(of: parts, club: club.key, whole: .resource(.run, id), isFullyLogged: false)
            return .list(watch) { () throws(RequestError) in
                guard let run = try pipeline.reads.run(id, ofClub: club.key) else { throw .notFound }
                let aims = try pipeline.aims.aims(of: run, pipeline.reads)
                let zone = try pipeline.reads.timeZone(of: viewer.readerKey)
                return EncodedListPage(body: run.pace(aims, in: zone, at: pipeline.clock()))
            }
        },
    ]
}
