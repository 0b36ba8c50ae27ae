import HTTPServer
import Model
import ObservableModels
import Store

/// Who may not come in for now. Administrators say it.
extension Route {
    static let suspensions: [Route] = [
        Route(
            .get, "/v1/suspensions", "listSuspensions", parameters: paged(), admission: .administrators,
            watching: .whole
        ) { call throws(LecternError) in
            let viewer = call.viewer
            return try call.list(in: viewer.scope, watch: .view(of: [.every(.suspension)], isTold: false)) {
                reads, paging throws(LecternError) in
                try reads.demandRole(of: viewer)
                return try reads.suspensions(after: paging.cursor, limit: paging.limit)
            }
        },
        Route(
            .get, "/v1/readers/{id}/suspension", "getSuspension", admission: .administrators, watching: .whole
        ) { call throws(LecternError) in
            let (id, viewer) = (try call.id(0), call.viewer)
            let parts: [Topic] = [.resource(.suspension, id), .resource(.reader, viewer.reader)]
            return call.one(id, watch: .view(of: parts, isTold: false)) { reads throws(LecternError) in
                try reads.demandRole(of: viewer)
                return try reads.suspension(of: id)
            }
        },
        Route(.put, "/v1/readers/{id}/suspension", "putSuspension", inBatches: true, admission: .administrators) {
            call throws(LecternError) in
            .commit(.suspend(try call.id(0), try MergePatch(call.json(), form: .patch)))
        },
        Route(.delete, "/v1/readers/{id}/suspension", "deleteSuspension", inBatches: true, admission: .administrators) {
            call throws(LecternError) in .commit(.liftSuspension(of: try call.id(0)))
        },
    ]
}
