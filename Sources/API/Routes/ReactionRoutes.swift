import HTTPServer
import JSON
import Model
import ObservableModels
import Store

/// What readers say to a note with one sign.
extension Route {
    static let reactions: [Route] = [
        Route(
            .get, "/v1/notes/{id}/reactions", "listReactions", watching: .no(because: "Its changes are in /v1/changes.")
        ) {
            call throws(LecternError) in
            let (id, viewer, reads, epoch) = (try call.id(0), call.viewer, call.reads, call.desk.epoch)
            return .list(Watch(topics: [.resource(.note, id)], kind: nil, filter: nil)) { () throws(LecternError) in
                let note = try reads.note(id, for: viewer)
                try reads.demandMembership(for: note, viewer)
                let page = Page(whole: try reads.reactions(to: note))
                return page.encoded(epoch, seq: note.version) { item, json in
                    json.beginObject()
                    json.name("reader")
                    json.id(item.reader)
                    json.name("reaction")
                    json.string(item.reaction)
                    json.endObject()
                }
            }
        },
        Route(.put, "/v1/notes/{id}/reactions/{reaction}", "putReaction") { call in .former(.putReaction, call) },
        Route(.delete, "/v1/notes/{id}/reactions/{reaction}", "deleteReaction") { call in .former(.deleteReaction, call)
        },
    ]
}
