import HTTPServer
import JSON
import Model
import Store

extension APIHandler {
    func listReactions(
        _ id: ResourceID, _ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter
    ) throws(LecternError) -> Disposition {
        _ = try Query(request, known: [])
        return try answer(
            list: { () throws(LecternError) in
                guard let note = try self.reads.note(id, seenBy: viewer.readerKey) else { throw .notFound }
                try self.demandMembership(for: note, viewer)
                let page = Page(whole: try self.reads.reactions(to: note))
                return page.encoded(epoch, seq: note.version) { item, json in
                    json.beginObject()
                    json.name("reader")
                    json.id(item.reader)
                    json.name("reaction")
                    json.string(item.reaction)
                    json.endObject()
                }
            }, request, &response)
    }

    /// Says that one has a reaction, or has it no longer.
    func putReaction(
        _ id: ResourceID, _ captures: Captures, isThere: Bool, _ request: borrowing Request, _ viewer: Viewer,
        _ response: inout ResponseWriter
    ) throws(LecternError) -> Disposition {
        guard let reaction = captures.text(1, in: request.path).flatMap({ Reaction(rawValue: $0) }) else {
            let names = Reaction.allCases.map(\.rawValue).joined(separator: ", ")
            throw .refused(.unknownReaction, "The reaction must be one of \(names).")
        }
        return try commit(
            React(reaction, to: id, isThere: isThere, viewer: viewer), request, viewer, &response, location: "")
    }
}
