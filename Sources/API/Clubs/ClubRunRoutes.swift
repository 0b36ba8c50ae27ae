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
                ReadConnection.runs, in: call.club(.see).scope,
                where: .having("book", call.query.id("book")).having("state", state))
        },
        Route(.get, "/v1/clubs/{id}/runs/{runId}", "getRun") { call throws(RequestError) in
            let (club, id) = (try call.club(.see), try call.id(1))
            return try call.one(id, of: club.key) { reads throws(RequestError) in try reads.run(id, ofClub: club.key) }
        },
        writing(.patch, "/v1/clubs/{id}/runs/{runId}", "updateRun") { .updateRun($0[1], of: $0[0], $1) },
        deleting("/v1/clubs/{id}/runs/{runId}", "deleteRun") { .deleteRun($0[1], of: $0[0]) },
    ]

    static let runCreation: [Route] = creating(
        .run, "/v1/clubs/{id}/runs", "createRun", "/v1/clubs/{id}/runs/{runId}", "putRun"
    ) { .createRun(of: $0[0], $1) }
}

extension RouteCall {
    /// Returns the run in the query parameter `run`, or `nil` without it. Throws `notFound` if the club does not have
    /// the run.
    func run(of club: Club, orOf book: ResourceID? = nil) throws(RequestError) -> ResourceID? {
        guard let id = try query.id("run") else { return nil }
        if book != nil { throw query.refusal("run", "must not be given with book") }
        guard try reads.run(id, ofClub: club.key) != nil else { throw .notFound }
        return id
    }

    /// Returns the run in the query parameter `run`, for a list of notes. It may be a deleted run that a note visible
    /// to the viewer names, among the notes at which a page looks.
    func run(ofNotesIn club: Club, orOf book: ResourceID? = nil) throws(RequestError) -> ResourceID? {
        if let id = try query.id("run"), book == nil, try reads.run(id, ofClub: club.key) == nil {
            var filter = NoteFilter()
            filter.run = id
            let notes = try reads.notes(of: club.key, seenBy: viewer.readerKey, filter, after: nil, limit: 1)
            if !notes.items.isEmpty { return id }
        }
        return try run(of: club, orOf: book)
    }
}
