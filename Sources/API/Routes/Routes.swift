import HTTPServer

extension Route {
    /// All routes.
    static let all: [Route] =
        [
            service, operating, readers, tokens, books, covers, readings, readingCreation, entries, entryCreation,
            cards, changes, clubs, clubCreation, members, invitations, editions, knowledge, paces, listings,
            joinRequests, joinRequestCreation, runs, runCreation, milestones, milestoneCreation, standings,
            standingCreation, meetings, meetingCreation, calendars, notes, noteCreation, reactions, shelves,
            shelfCreation, blocks, reports, streams, settings, scenes, presence, ratings, batches, transfers,
            backups, sessions, accounts, links, identities,
        ].flatMap { $0 }

    /// The router, which finds the route of a request.
    static let router: Router = {
        var router = Router()
        for (number, route) in all.enumerated() { router.add(route.method, "\(route.path)", number) }
        return router
    }()
}
