import HTTPServer
import Model
import Store

/// The people who read. Administrators make them.
extension Route {
    static let readers: [Route] = [
        Route(.get, "/v1/me", "getMe", watching: .no(because: "Its changes are in /v1/changes.")) { call in
            reader(call.viewer.reader)
        },
        Route(
            .get, "/v1/readers", "listReaders", parameters: paged(), admission: .administrators,
            watching: .no(because: "Its changes are in /v1/changes.")
        ) { call throws(LecternError) in
            try call.list(in: call.viewer.scope) { reads, paging throws(LecternError) in
                try reads.readers(after: paging.cursor, limit: paging.limit)
            }
        },
        Route(
            .get, "/v1/readers/{id}", "getReader", admission: .administrators,
            watching: .no(because: "Its changes are in /v1/changes.")
        ) {
            call throws(LecternError) in reader(try call.id(0))
        },
        Route(.patch, "/v1/me", "updateMe") { call in .former(.patchMe, call) },
        Route(.post, "/v1/readers", "createReader", admission: .administrators) { call in .former(.createReader, call)
        },
        Route(.patch, "/v1/readers/{id}", "updateReader", admission: .administrators) { call in
            .former(.patchReader, call)
        },
    ]

    private static func reader(_ id: ResourceID) -> Reply {
        .one(id) { reads throws(LecternError) in try reads.reader(id) }
    }
}
