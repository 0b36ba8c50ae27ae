import HTTPServer
import Model
import ObservableModels
import Store

/// Where a club's members are.
extension Route {
    /// One page shows as many as most clubs have.
    private static let size = Paging.Size(standard: 200, max: 1000)

    static let standings: [Route] = [
        Route(.get, "/v1/clubs/{id}/standings", "listStandings", parameters: paged("book", "run", "audience")) {
            call throws(LecternError) in
            let (club, book) = (try call.club(.see), try call.query.id("book"))
            let run = try call.run(of: club, orOf: book)
            if try call.query.choice("audience") == Standing.Audience.moderators {
                if call.query.has("fields") {
                    throw call.query.refusal("fields", "is not for what moderators are shown, which is sent whole")
                }
                return try call.list(whoMay: .oversee, size: size) { reads, club, paging throws(LecternError) in
                    try reads.standings(
                        ofClub: club.key, shownTo: .moderators, book: book, run: run?.id, after: paging.cursor,
                        limit: paging.limit)
                }
            }
            let filter =
                run.map { ListFilter.having("run", $0.id) } ?? book.map { ListFilter.having("book", $0) } ?? .current
            return try call.list(
                of: club, filter: filter, order: .oldestFirst, whole: run?.whole, skips: true,
                size: size
            ) {
                reads, paging throws(LecternError) in
                try reads.standings(
                    ofClub: club.key, book: book, run: run?.id, after: paging.cursor, limit: paging.limit)
            }
        },
        Route(.post, "/v1/clubs/{id}/standings", "createStanding", inBatches: true) { call throws(LecternError) in
            .commit(.readAlong(try call.id(0), try StandingDraft(call.json())))
        },
        Route(.get, "/v1/clubs/{id}/standings/{standingId}", "getStanding") { call throws(LecternError) in
            let (club, id) = (try call.club(.see), try call.id(1))
            return call.one(id, of: club.key) { reads throws(LecternError) in
                try reads.standing(id, ofClub: club.key)
            }
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
