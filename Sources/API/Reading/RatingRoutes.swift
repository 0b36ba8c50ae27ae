import HTTPServer
import Model
import ObservableModels
import Store

/// The routes of ratings, which are private, and of the ratings in a club's run.
extension Route {
    static let ratings: [Route] = [
        Route(.get, "/v1/ratings", "listRatings", parameters: paged("book"), watching: .whole) {
            call throws(RequestError) in
            try call.list(ReadConnection.ratings, where: .having("book", call.query.id("book")))
        },
        Route(.get, "/v1/readings/{id}/rating", "getRating", watching: .whole) { call throws(RequestError) in
            let (id, viewer) = (try call.id(0), call.viewer)
            return try call.one(id, whole: .resource(.reading, id), cacheScope: viewer.scope) {
                reads throws(RequestError) in
                try reads.rating(ofReading: id, by: viewer.readerKey)
            }
        },
        writing(.put, "/v1/readings/{id}/rating", "putRating") { .putRating(of: $0[0], $1) },
        deleting("/v1/readings/{id}/rating", "deleteRating") { .deleteRating(of: $0[0]) },
        Route(.get, "/v1/clubs/{id}/runs/{runId}/ratings", "getRunRatings", watching: .whole) {
            call throws(RequestError) in
            let (club, id, reads) = (try call.club(.see), try call.id(1), call.reads)
            guard try reads.run(id, ofClub: club.key) != nil else { throw .notFound }
            // The log has ratings for their readers only.
            let parts: [WatchTopic] = [
                .every(Rating.kind), .list(.standing, club.scope),
                .list(.standing, .plainMembers(ofClub: club.key)), .list(.member, club.scope),
            ]
            let watch = WatchPlan.view(of: parts, club: club.key, whole: .resource(.run, id), isFullyLogged: false)
            return .list(watch) { () throws(RequestError) in
                guard let run = try reads.run(id, ofClub: club.key) else { throw .notFound }
                return EncodedListPage(body: run.ratings(try reads.ratings(ofRun: run)))
            }
        },
    ]
}
