import HTTPServer
import Model
import ObservableModels
import Store

/// What a club reads, has read, will read, and might: a book as often as it is read.
extension Route {
    static let runs: [Route] = [
        Route(.get, "/v1/clubs/{id}/runs", "listRuns", parameters: paged("book", "state")) {
            call throws(LecternError) in
            var filter = RunFilter()
            (filter.book, filter.state) = (try call.query.id("book"), try call.query.choice("state"))
            return try call.runs(filter)
        },
        Route(.post, "/v1/clubs/{id}/runs", "createRun", inBatches: true) { call throws(LecternError) in
            .commit(.createRun(of: try call.id(0), try RunDraft(call.json())))
        },
        Route(.put, "/v1/clubs/{id}/runs/{runId}", "putRun", inBatches: true) { call throws(LecternError) in
            let body = try call.json()
            return .commit(.createRun(of: try call.id(0), try RunDraft(body), as: try call.claim(1, of: body)))
        },
        Route(.get, "/v1/clubs/{id}/runs/{runId}", "getRun") { call throws(LecternError) in
            let (club, id) = (try call.club(.see), try call.id(1))
            return call.one(id, of: club.key) { reads throws(LecternError) in try reads.run(id, ofClub: club.key) }
        },
        Route(.patch, "/v1/clubs/{id}/runs/{runId}", "updateRun", inBatches: true) { call throws(LecternError) in
            .commit(
                .patchRun(
                    try call.id(1), of: try call.id(0), try ClubBookPatch(call.json(mergePatch: true), form: .patch)))
        },
        Route(.delete, "/v1/clubs/{id}/runs/{runId}", "deleteRun", inBatches: true) { call throws(LecternError) in
            .commit(.deleteRun(try call.id(1), of: try call.id(0)))
        },
    ]
}

extension Call {
    /// The club's runs that pass, in its order.
    func runs(_ filter: RunFilter) throws(LecternError) -> Reply {
        let club = try club(.see)
        return try list(
            of: club, filter: filter == RunFilter() ? .all : .runs(filter), order: ListOrder(by: .number("place"))
        ) { reads, paging throws(LecternError) in
            try reads.runs(ofClub: club.key, filter, after: paging.cursor, limit: paging.limit)
        }
    }

    /// Of which run of a club a list is asked for; not found where there is no such run, with which watching it ends.
    func run(of club: Club, orOf book: ResourceID? = nil) throws(LecternError) -> (OfRun, whole: Topic)? {
        guard let id = try query.id("run") else { return nil }
        if book != nil { throw query.refusal("run", "must not be said beside a book") }
        guard let run = try reads.run(id, ofClub: club.key) else { throw .notFound }
        return (OfRun(run), .resource(.clubBook, id))
    }

    /// The same of notes, which stay when their run is deleted, and name it still.
    func run(ofNotesIn club: Club, orOf book: ResourceID? = nil) throws(LecternError) -> (OfRun, whole: Topic)? {
        if let id = try query.id("run"), book == nil, try reads.run(id, ofClub: club.key) == nil,
            try reads.isNamed(run: id, in: club.key, seenBy: viewer.readerKey)
        {
            return (OfRun(deleted: id), .resource(.clubBook, id))
        }
        return try run(of: club, orOf: book)
    }
}
