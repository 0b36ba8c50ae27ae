import HTTPServer
import Model
import ObservableModels
import Store

/// The routes of a club's milestones.
extension Route {
    static let milestones: [Route] = [
        Route(.get, "/v1/clubs/{id}/milestones", "listMilestones", parameters: paged("book", "run")) {
            call throws(RequestError) in
            let (club, book) = (try call.club(.see), try call.query.id("book"))
            let run = try call.run(of: club, orOf: book)
            return try call.list(
                ReadConnection.milestones, in: club.scope, where: .having("run", run).having("book", book),
                whole: run.map { .resource(.run, $0) })
        },
        Route(.get, "/v1/clubs/{id}/milestones/{milestoneId}", "getMilestone") { call throws(RequestError) in
            let (club, id) = (try call.club(.see), try call.id(1))
            return try call.one(id, of: club.key) { reads throws(RequestError) in
                try reads.milestone(id, ofClub: club.key)
            }
        },
        writing(.patch, "/v1/clubs/{id}/milestones/{milestoneId}", "updateMilestone") {
            .updateMilestone($0[1], of: $0[0], $1)
        },
        deleting("/v1/clubs/{id}/milestones/{milestoneId}", "deleteMilestone") { .deleteMilestone($0[1], of: $0[0]) },
    ]

    static let milestoneCreation: [Route] = creating(
        .milestone, "/v1/clubs/{id}/milestones", "createMilestone", "/v1/clubs/{id}/milestones/{milestoneId}",
        "putMilestone"
    ) { .createMilestone(of: $0[0], $1) }
}
