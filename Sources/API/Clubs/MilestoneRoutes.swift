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
                ReadConnection.milestones, of: club, where: .having("run", run?.id).having("book", book),
                whole: run?.whole)
        },
        Route(.get, "/v1/clubs/{id}/milestones/{milestoneId}", "getMilestone") { call throws(RequestError) in
            let (club, id) = (try call.club(.see), try call.id(1))
            return call.one(id, of: club.key) { reads throws(RequestError) in
                try reads.milestone(id, ofClub: club.key)
            }
        },
        Route(.patch, "/v1/clubs/{id}/milestones/{milestoneId}", "updateMilestone", inBatches: true) {
            call throws(RequestError) in
            let patch = try MilestonePatch(call.json(mergePatch: true), form: .patch)
            return .commit(.updateMilestone(try call.id(1), of: try call.id(0), patch))
        },
        Route(.delete, "/v1/clubs/{id}/milestones/{milestoneId}", "deleteMilestone", inBatches: true) {
            call throws(RequestError) in
            .commit(.deleteMilestone(try call.id(1), of: try call.id(0)))
        },
    ]

    static let milestoneCreation: [Route] = creating(
        .milestone, "/v1/clubs/{id}/milestones", "createMilestone", "/v1/clubs/{id}/milestones/{milestoneId}",
        "putMilestone"
    ) { call, body throws(RequestError) in
        .createMilestone(of: try call.id(0), try MilestonePatch(body, form: .whole))
    }
}
