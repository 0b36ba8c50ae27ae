import HTTPServer
import Model
import ObservableModels
import Store

/// The routes of a reader's readings, which are private.
extension Route {
    static let readings: [Route] = [
        Route(.get, "/v1/readings", "listReadings", parameters: paged("q", "state", "book", "sort")) {
            call throws(RequestError) in
            let filter = try ListFilter(readings: call.query)
            let bestFirst = try call.query.bestFirst(filter.search, orElse: "-createdAt")
            let viewer = call.viewer
            // A search finds readings by their books' words, which readings do not contain. So a watched search is a
            // view.
            let parts: [WatchTopic] = [.list(.reading, viewer.scope), .list(.card, viewer.scope)]
            let view = filter.search.map { _ in WatchPlan.view(of: parts, isFullyLogged: false) }
            if call.isWatched, view != nil, call.query.text("fields") != nil {
                throw call.query.refusal("fields", "does not apply to a search of readings, which has all fields")
            }
            return try call.list(
                in: viewer.scope, besides: view.map { _ in .everyone }, filter: filter, order: .newestFirst, watch: view
            ) { reads, paging, known throws(RequestError) in
                try reads.readings(
                    of: viewer.readerKey, filter, bestFirst: bestFirst, after: paging.cursor, limit: paging.limit,
                    known: known)
            }
        },
        Route(.get, "/v1/readings/{id}", "getReading") { call throws(RequestError) in
            let (id, viewer) = (try call.id(0), call.viewer)
            return try call.one(id, cacheScope: viewer.scope) { reads throws(RequestError) in
                try reads.reading(id, of: viewer)
            }
        },
        writing(.patch, "/v1/readings/{id}", "updateReading") { .updateReading($0[0], $1) },
        deleting("/v1/readings/{id}", "deleteReading") { .deleteReading($0[0]) },
    ]

    static let readingCreation: [Route] = creating(
        .reading, "/v1/readings", "createReading", "/v1/readings/{id}", "putReading"
    ) { .createReading($1) }
}

extension ListFilter {
    /// Creates the filter of readings, or of their cards, that a query describes.
    init(readings query: RequestQuery) throws(RequestError) {
        let state: ReadingState? = try query.choice("state")
        self = .having("state", state).having("book", try query.id("book")).matching(try query.search("q"))
    }
}
