import HTTPServer
import Model
import ObservableModels
import Store

/// The route of the change log.
extension Route {
    static let changes: [Route] = [
        Route(.get, "/v1/changes", "listChanges", parameters: ["after", "cursor", "limit"], watching: .whole) {
            call throws(RequestError) in
            let limit = try call.query.limit()
            guard call.isWatched else {
                try call.pipeline.requireJSON(call.request)
                let cursor = call.query.text("cursor") ?? call.query.text("after") ?? ""
                return .deferred(.changes(call.viewer, after: cursor, limit: limit))
            }
            if call.query.has("cursor") { throw call.query.refusal("cursor", "is for pages: send it as after") }
            // A feed has no state of its own. Its snapshot only contains the place from which it continues.
            return .list(.feed(of: call.viewer)) { [pipeline = call.pipeline] () throws(RequestError) in
                EncodedListPage(body: try pipeline.place(pipeline.reads.head()))
            }
        }
    ]
}
