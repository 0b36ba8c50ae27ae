import HTTPServer
import JSON
import Model
import ObservableModels
import Store

/// The routes of readers. Administrators create them.
extension Route {
    static let readers: [Route] = [
        Route(.get, "/v1/me", "getMe", watching: .whole) { call throws(RequestError) in
            let id = call.viewer.reader
            return try call.one(id) { reads throws(RequestError) in try reads.reader(id) }
        },
        Route(.get, "/v1/readers", "listReaders", parameters: paged("guardian", "isSuspended"), watching: .whole) {
            call throws(RequestError) in
            let (viewer, guardian) = (call.viewer, try call.query.id("guardian"))
            let areSuspended = try call.query.bool("isSuspended")
            if areSuspended == false { throw call.query.refusal("isSuspended", "must be true") }
            let areManaged = guardian == viewer.reader
            if !areManaged { try viewer.demandAdministrator() }
            return try call.list(in: viewer.scope, watch: .view(of: [.every(.reader)], isFullyLogged: false)) {
                reads, paging throws(RequestError) in
                if !areManaged { try reads.demandRole(of: viewer) }
                return try reads.readers(
                    whoseGuardianIs: guardian, withReasons: viewer.role == .administrator,
                    areSuspended: areSuspended ?? false, after: paging.cursor, limit: paging.limit)
            }
        },
        Route(.get, "/v1/readers/{id}", "getReader", watching: .whole) {
            call throws(RequestError) in
            let (id, viewer) = (try call.id(0), call.viewer)
            let parts: [WatchTopic] = [.resource(.reader, id), .resource(.reader, viewer.reader)]
            return try call.one(id, watch: .view(of: parts, isFullyLogged: false)) {
                reads throws(RequestError) in
                if viewer.role == .administrator { try reads.demandRole(of: viewer) }
                return try reads.reader(id, for: viewer)
            }
        },
        Route(.patch, "/v1/me", "updateMe", inBatches: true) { call throws(RequestError) in
            try updateReader(call.viewer.reader, call)
        },
        Route(.post, "/v1/readers", "createReader", inBatches: true, admission: .administrators) {
            call throws(RequestError) in
            .commit(.createReader(try ReaderPatch(call.json(), form: .whole, roleMayChange: true)))
        },
        Route(.delete, "/v1/readers/{id}", "deleteReader", parameters: ["confirm"]) { call throws(RequestError) in
            .commit(.deleteReader(try call.id(0), confirmedBy: call.query.text("confirm")))
        },
        Route(.patch, "/v1/readers/{id}", "updateReader", inBatches: true, admission: .administrators) {
            call throws(RequestError) in
            try updateReader(try call.id(0), call)
        },
    ]

    private static func updateReader(_ id: ResourceID, _ call: borrowing RouteCall) throws(RequestError) -> RouteReply {
        let roleMayChange = call.viewer.role == .administrator
        let patch = try ReaderPatch(call.json(mergePatch: true), form: .patch, roleMayChange: roleMayChange)
        // A guardian can export the account, so an administrator could read it as its guardian for a moment.
        var refusal: RequestError?
        if let guardian = patch.guardian.value {
            refusal = call.request.refusalUnlessLocal(
                "curl --unix-socket lectern.sock -H 'Content-Type: application/merge-patch+json' -X PATCH "
                    + "-d '{\"guardian\":\"\(guardian)\"}' http://localhost/v1/readers/\(id)")
        }
        return .commit(.updateReader(id, patch, guardianRefusal: refusal))
    }
}
