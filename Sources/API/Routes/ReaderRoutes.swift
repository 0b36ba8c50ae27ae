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
        Route(.patch, "/v1/me", "updateMe") { call throws(LecternError) in
            try patchReader(call.viewer.reader, call)
        },
        Route(.post, "/v1/readers", "createReader", admission: .administrators) { call throws(LecternError) in
            .commit(.createReader(try ReaderPatch(call.json(), form: .whole, roleMayChange: true)))
        },
        Route(.patch, "/v1/readers/{id}", "updateReader", admission: .administrators) { call throws(LecternError) in
            try patchReader(try call.id(0), call)
        },
    ]

    private static func reader(_ id: ResourceID) -> Reply {
        .one(id) { reads throws(LecternError) in try reads.reader(id) }
    }

    private static func patchReader(_ id: ResourceID, _ call: borrowing Call) throws(LecternError) -> Reply {
        let roleMayChange = call.viewer.role == .administrator
        let patch = try ReaderPatch(call.json(mergePatch: true), form: .patch, roleMayChange: roleMayChange)
        return .commit(.patchReader(id, patch))
    }
}
