import HTTPServer
import Model
import Store

/// Readers who have a guardian, in the guardian's hands: what is not private to them, and their end.
extension Route {
    static let wards: [Route] = [
        Route(
            .get, "/v1/wards", "listWards", parameters: paged(),
            watching: .no(because: "What becomes of a reader only they are told.")
        ) { call throws(LecternError) in
            let viewer = call.viewer
            return try call.list(in: viewer.scope) { reads, paging throws(LecternError) in
                try reads.readers(
                    whoseGuardianIs: viewer.reader, after: paging.cursor, limit: paging.limit)
            }
        },
        Route(
            .get, "/v1/wards/{id}/export", "exportWard", access: .write,
            watching: .no(because: "It is a copy of one moment.")
        ) { call throws(LecternError) in
            let id = try call.id(0)
            guard let ward = try call.reads.reader(id), ward.guardian == call.viewer.reader else { throw .notFound }
            return .export(.lines(.ward(ward.id, key: ward.key)))
        },
        Route(.delete, "/v1/wards/{id}", "deleteWard", parameters: ["confirm"]) { call throws(LecternError) in
            .commit(.leave(try call.id(0), saying: call.query.text("confirm") ?? "", isWard: true))
        },
    ]
}
