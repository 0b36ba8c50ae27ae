import HTTPServer

extension Route {
    /// All routes.
    static let all: [Route] =
        service + operating + readers + tokens + books + covers + readings + entries + cards + changes + clubs + members
        + invitations + editions + knowledge + paces + listings + joinRequests + runs + milestones
        + standings + meetings + calendars + notes + reactions + shelves + blocks + reports + streams
        + settings + scenes + presence + ratings + batches + transfers + backups + sessions + accounts + links
        + identities

    /// The router, which finds the route of a request.
    static let router: Router = {
        var router = Router()
        for (number, route) in all.enumerated() { router.add(route.method, "\(route.path)", number) }
        return router
    }()
}
