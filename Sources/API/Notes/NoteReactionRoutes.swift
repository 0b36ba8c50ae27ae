import HTTPServer
import JSON
import Model
import ObservableModels
import Store

/// The routes of readers' reactions to notes.
extension Route {
    static let reactions: [Route] = [
        Route(
            .get, "/v1/notes/{id}/reactions", "listReactions", parameters: paged(), watching: .whole
        ) {
            call throws(RequestError) in
            let paging = try call.query.paging()
            let (id, viewer, reads, epoch) = (try call.id(0), call.viewer, call.reads, call.pipeline.epoch)
            // A reaction changes its note, which has a count of reactions.
            let club = call.isWatched ? try reads.note(id, for: viewer).clubKey : nil
            // Blocks, and the viewer's role, determine which reactions are shown.
            let parts: [WatchTopic] =
                [.list(.block, viewer.scope)] + (club.map { [.list(.member, .club(key: $0))] } ?? [])
            return .list(.view(of: parts, club: club, whole: .resource(.note, id))) { () throws(RequestError) in
                let note = try reads.note(id, for: viewer)
                try reads.demandMembership(for: note, viewer)
                let page = try reads.reactions(
                    to: note, seenBy: viewer.readerKey, after: paging.cursor, limit: paging.limit)
                let scope = note.clubKey.map { ChangeScope.club(key: $0) } ?? viewer.scope
                let place = try reads.lastSeq(of: scope, seenBy: viewer)
                return page.encoded(epoch, seq: max(note.version, place)) { item, json in
                    json.object {
                        $0.member("reader", item.reader)
                        $0.member("reaction", item.reaction)
                    }
                }
            }
        },
        Route(.put, "/v1/notes/{id}/reactions/{reaction}", "putReaction", inBatches: true) {
            call throws(RequestError) in
            try react(call, isThere: true)
        },
        Route(.delete, "/v1/notes/{id}/reactions/{reaction}", "deleteReaction", inBatches: true) {
            call throws(RequestError) in
            try react(call, isThere: false)
        },
    ]

    /// Returns the reply that adds or removes the viewer's reaction, which the path names.
    private static func react(_ call: borrowing RouteCall, isThere: Bool) throws(RequestError) -> RouteReply {
        guard let reaction = call.text(1).flatMap({ NoteReaction(rawValue: $0) }) else {
            let names = NoteReaction.allCases.map(\.rawValue).joined(separator: ", ")
            throw .refused(.unknownReaction, "The reaction must be one of \(names).")
        }
        return .commit(.setReaction(reaction, to: try call.id(0), isThere: isThere), location: .nowhere)
    }
}
