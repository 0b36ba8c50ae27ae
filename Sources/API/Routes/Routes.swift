import HTTPServer

/// The table of routes, built once.
enum Routes {
    static let router: Router<Route> = {
        var router = Router<Route>()
        for route in Route.allCases { router.add(route.pattern.method, route.pattern.path, route) }
        return router
    }()
}
