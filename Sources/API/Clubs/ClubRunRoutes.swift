import HTTPServer
import Model
import ObservableModels
import Store

/// The routes of a club's runs.
extension Route {
    static let runs: [Route] = [
        Route(.get, "/v1/clubs/{id}/runs", "listRuns", parameters: paged("book", "state")) {
            call throws(RequestError) in
            let state: ClubRunState? = try call.query.choice("state")
            return try call.list(
                ReadConnection.runs, of: call.club(.see),
                where: .having("book", call.query.id("book")).having("state", state))
        },
        Route(.get, "/v1/clubs/{id}/runs/{runId}", "getRun") { call throws(RequestError) in
            let (club, id) = (try call.club(.see), try call.id(1))
            return call.one(id, of: club.key) { reads throws(RequestError) in try reads.run(id, ofClub: club.key) }
        },
        Route(.patch, "/v1/clubs/{id}/runs/{runId}", "updateRun", inBatches: true) { call throws(RequestError) in
            let patch = try ClubRunPatch(call.json(mergePatch: true), form: .patch)
            return .commit(.updateRun(try call.id(1), of: try call.id(0), patch))
        },
        Route(.delete, "/v1/clubs/{id}/runs/{runId}", "deleteRun", inBatches: true) { call throws(RequestError) in
            .commit(.deleteRun(try call.id(1), of: try call.id(0)))
        },
    ]

    static let runCreation: [Route] = creating(
        .run, "/v1/clubs/{id}/runs", "createRun", "/v1/clubs/{id}/runs/{runId}", "putRun"
    ) { call, body throws(RequestError) in
        .createRun(of: try call.id(0), try ClubRunDraft(body))
    }
}

extension RouteCall {
    /// Returns the run in the query parameter `run`, and the topic whose deletion ends a stream of the list. Returns
    /// `nil` without the parameter. Throws `notFound` if the club does not have the run.
    func run(of club: Club, orOf book: ResourceID? = nil) throws(RequestError) -> (id: ResourceID, whole: WatchTopic)? {
        guard let id = try query.id("run") else { return nil }
        if book != nil { throw query.refusal("run", "must not be given with book") }
        guard try reads.run(id, ofClub: club.key) != nil else { throw .notFound }
        return (id, .resource(.run, id))
    }

    /// Returns the run in the query parameter `run`, for a list of notes. It may be a deleted run that a note visible
    /// to the viewer names.
    func run(ofNotesIn club: Club, orOf book: ResourceID? = nil) throws(RequestError) -> (
        id: ResourceID, whole: WatchTopic
    )? {
        if let id = try query.id("run"), book == nil, try reads.run(id, ofClub: club.key) == nil,
            try reads.isNamed(run: id, in: club.key, seenBy: viewer.readerKey)
        {
            return (id, .resource(.run, id))
        }
        return try run(of: club, orOf: book)
    }
}
