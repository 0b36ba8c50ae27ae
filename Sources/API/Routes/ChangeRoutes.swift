import HTTPServer
import Model
import ObservableModels
import Store

/// The change log.
extension Route {
    static let changes: [Route] = [
        Route(.get, "/v1/changes", "listChanges", parameters: ["after", "cursor", "limit"], watching: .whole) {
            call throws(LecternError) in
            let limit = try call.query.limit()
            guard call.isWatched else {
                return .changes(after: call.query.text("cursor") ?? call.query.text("after") ?? "", limit: limit)
            }
            // A feed has no state of its own: its snapshot only names the place from where it goes on.
            return .list(.feed(of: call.viewer)) { [desk = call.desk] () throws(LecternError) in
                EncodedPage(body: try desk.place(desk.reads.head()), next: nil)
            }
        }
    ]
}
