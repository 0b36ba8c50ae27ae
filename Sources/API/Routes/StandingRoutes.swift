import HTTPServer
import Model
import ObservableModels
import Store

/// Where a club's members are.
extension Route {
    static let standings: [Route] = [
        Route(.get, "/v1/clubs/{id}/standings", "listStandings", parameters: paged("book", "run")) {
            call throws(LecternError) in
            let (club, book) = (try call.club(.see), try call.query.id("book"))
            let run = try call.run(of: club, orOf: book)
            let filter = run.map { ListFilter.ofRun($0.0) } ?? book.map { ListFilter.having("book", $0) } ?? .current
            // One page shows as many as most clubs have.
            return try call.list(
                of: club, filter: filter, order: .oldestFirst, whole: run?.whole, skips: true,
                size: Paging.Size(standard: 200, max: 1000)
            ) {
                reads, paging throws(LecternError) in
                try reads.standings(
                    ofClub: club.key, book: book, run: run?.0, after: paging.cursor, limit: paging.limit)
            }
        },
        Route(.post, "/v1/clubs/{id}/standings", "createStanding", inBatches: true) { call throws(LecternError) in
            .commit(.readAlong(try call.id(0), try StandingDraft(call.json())))
        },
        Route(.put, "/v1/clubs/{id}/standings/{standingId}", "putStanding", inBatches: true) {
            call throws(LecternError) in
            let body = try call.json()
            return .commit(.readAlong(try call.id(0), try StandingDraft(body), as: try call.claim(1, of: body)))
        },
        Route(.delete, "/v1/clubs/{id}/standings/{standingId}", "deleteStanding", inBatches: true) {
            call throws(LecternError) in
            .commit(.deleteStanding(try call.id(1), of: try call.id(0)))
        },
    ]
}
