import HTTPServer
import Model
import Store

/// The routes of a reader's settings.
extension Route {
    static let settings: [Route] = [
        Route(.get, "/v1/settings", "getSettings", watching: .whole) { call throws(RequestError) in
            let viewer = call.viewer
            return try call.one(viewer.reader, cacheScope: viewer.scope) { reads throws(RequestError) in
                try reads.settings(of: viewer.readerKey)
            }
        },
        writing(.patch, "/v1/settings", "updateSettings") { .updateSettings($1) },
    ]
}
