import HTTPServer
import Model
import ObservableModels
import Store

/// Who was taken out of a club.
extension APIHandler {
    func listRemovals(
        _ id: ResourceID, _ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter
    ) throws(LecternError) -> Disposition {
        let query = try Query(request, known: Query.ofPages)
        let limit = try query.limit()
        let club = try club(id, viewer, .removeMembers)
        return try answer(
            list: { () throws(LecternError) in
                try self.reads.removals(from: club.key, after: query.text("cursor"), limit: limit)
                    .encoded(epoch, seq: self.reads.lastSeq(ofClub: club.key, seenBy: viewer.readerKey))
            }, request, &response)
    }

    func deleteRemoval(
        _ id: ResourceID, _ removal: ResourceID, _ request: borrowing Request, _ viewer: Viewer,
        _ response: inout ResponseWriter
    ) throws(LecternError) -> Disposition {
        try commit(LiftRemoval(id: removal, club: id, viewer: viewer), request, viewer, &response)
    }
}
